import { OptimiseModelError } from '../messages/error.js';
import { connectS3 } from './s3-connection.js';

/** What the AWS environment of this process comes to; each part is a finding for people, not a promise. */
export type S3Probe = {
  /** Address of the service, or why none is known. */
  readonly endpoint: string;
  /** Where credentials were found; null when none were. Never the credentials themselves. */
  readonly credentials: string | null;
};

/** The chain ends with a metadata service that may never answer. */
const patienceMs = 2_000;

/**
 * Looks at the AWS environment without sending a request to S3.
 *
 * @param env - Environment variables.
 * @returns Endpoint and where credentials come from.
 */
export async function probeS3(env: NodeJS.ProcessEnv): Promise<S3Probe> {
  try {
    const { client, endpoint } = await connectS3('', env);
    const found = await Promise.race([
      client.config.credentials().then(
        () => true,
        () => false,
      ),
      new Promise<false>((resolve) => setTimeout(() => resolve(false), patienceMs).unref()),
    ]);
    return { endpoint, credentials: found ? nameSource(env) : null };
  } catch (error) {
    const isRegion = error instanceof OptimiseModelError && error.code === 's3-region-missing';
    return { endpoint: isRegion ? 'no region is set' : (error as Error).message, credentials: null };
  }
}

/** In the order in which the SDK looks. */
function nameSource(env: NodeJS.ProcessEnv): string {
  if (env.AWS_PROFILE) return `profile ${env.AWS_PROFILE}`;
  if (env.AWS_ACCESS_KEY_ID) return 'environment variables';
  if (env.AWS_WEB_IDENTITY_TOKEN_FILE) return 'a web identity';
  const isContainer = env.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI || env.AWS_CONTAINER_CREDENTIALS_FULL_URI;
  return isContainer ? 'the container' : 'the default credential chain';
}
