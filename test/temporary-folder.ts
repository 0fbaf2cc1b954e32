import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives all tests of a run one temporary folder and removes it afterwards, whatever they leave in it.
 *
 * @returns What the test runner calls at the end.
 */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'optimise-model-test-'));
  process.env.TMPDIR = folder;
  // The journal of uploads of the person at this machine is none of the tests' business.
  process.env.OPTIMISE_MODEL_STATE = join(folder, 'state');
  return () => rm(folder, { recursive: true, force: true });
}
