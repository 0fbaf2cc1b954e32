import type { TestContext } from 'vitest';
import { type RunningS3, versitygw } from './versitygw.mjs';

/**
 * Makes sure that a test that needs a real S3 server has one: on a user's machine without it the test is skipped by
 * name and reason, in CI its absence is a failure.
 *
 * @param context - The test's context, or that of a `beforeEach`.
 * @param running - The server that the file's `beforeAll` started, if it could.
 * @returns The server.
 */
export async function requireS3(context: TestContext, running: RunningS3 | undefined): Promise<RunningS3> {
  if (running !== undefined) return running;
  const reason = (await versitygw.whyNot()) ?? 'versitygw was not started';
  if (process.env.CI) throw new Error(`In CI this test must run: ${reason}`);
  return context.skip(reason);
}

/**
 * Starts the server for a test file, when there is one.
 *
 * @returns The running server; undefined when none is installed.
 */
export async function startS3IfFound(): Promise<RunningS3 | undefined> {
  return (await versitygw.find()) === undefined ? undefined : versitygw.start();
}

/**
 * Points the AWS environment of this process at a server.
 *
 * @param s3 - The server.
 */
export function useS3(s3: Pick<RunningS3, 'endpoint' | 'accessKeyId' | 'secretAccessKey'>): void {
  process.env.AWS_ENDPOINT_URL_S3 = s3.endpoint;
  process.env.AWS_ACCESS_KEY_ID = s3.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = s3.secretAccessKey;
  process.env.AWS_REGION = 'us-east-1';
  // No profile of the person at this machine may take part.
  process.env.AWS_CONFIG_FILE = '/dev/null';
  process.env.AWS_SHARED_CREDENTIALS_FILE = '/dev/null';
  process.env.AWS_EC2_METADATA_DISABLED = 'true';
}
