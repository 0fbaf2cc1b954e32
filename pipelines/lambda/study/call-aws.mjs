import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Calls the AWS CLI, with the credentials and region that it finds by itself.
 *
 * @param {readonly string[]} words - What follows `aws`.
 * @returns {Promise<any>} Its JSON; null where it prints nothing.
 */
export async function callAws(...words) {
  const { stdout } = await run('aws', [...words, '--output', 'json'], { maxBuffer: 1 << 28 });
  return stdout.trim() === '' ? null : JSON.parse(stdout);
}
