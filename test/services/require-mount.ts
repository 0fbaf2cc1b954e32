import type { TestContext } from 'vitest';
import { s3fs } from './s3fs.mjs';

/**
 * Makes sure that a test that reads through a mounted bucket can: on a user's machine without s3fs or FUSE the test is
 * skipped by name and reason, in CI their absence is a failure.
 *
 * @param context - The test's context, or that of a `beforeEach`.
 */
export async function requireMount(context: TestContext): Promise<void> {
  const reason = await s3fs.whyNot();
  if (reason === undefined) return;
  if (process.env.CI) throw new Error(`In CI this test must run: ${reason}`);
  context.skip(reason);
}
