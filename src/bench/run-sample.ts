import { resolveChildModule } from '../lib/child-module.js';
import { type ChildEnd, converseWithChild } from '../lib/converse-with-child.js';
import { describe } from '../messages/catalogue.js';
import { explainOutOfMemory } from './profile/memory-watch.js';
import type { OpenedProfile } from './profile/open-profile.js';
import type { SampleAnswer, SampleJob } from './sample-message.js';

/** The program that one sample is. */
export const sampleProgram = resolveChildModule('../bench/sample-child.js', import.meta.url);

/**
 * Takes one sample in a process of its own.
 *
 * @param job - What it does.
 * @param profile - What it does it in.
 * @param timeoutMs - When it is killed.
 * @param signal - Kills it at once.
 * @returns What it measured; dying, hanging, running out of memory and failing are answers too.
 * @throws The signal's reason. The process has ended by then.
 */
export async function runSample(
  job: SampleJob,
  { profile, launcher, readMemory }: Pick<OpenedProfile, 'profile' | 'launcher' | 'readMemory'>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<SampleAnswer> {
  // On the command line, so that nothing has to be waited for before the measuring begins.
  const args = [JSON.stringify(job)];
  const before = await readMemory();
  const conversation = { program: sampleProgram, args, request: null, timeoutMs, signal, launcher };
  const end = await converseWithChild<SampleAnswer>(conversation);
  if (end.answer !== undefined) return end.answer;
  const error = explainOutOfMemory(end, profile.memoryMiB, before, await readMemory());
  return error === null ? explainSilence(end, timeoutMs) : { ok: false, error };
}

function explainSilence(end: ChildEnd<SampleAnswer>, timeoutMs: number): SampleAnswer {
  const { signal, exitCode, lastWords } = end;
  if (end.isLate) {
    const { what } = describe('bench-sample-late', { timeoutMs });
    return { ok: false, error: { code: 'bench-sample-late', what } };
  }
  const { what } = describe('bench-sample-died', { signal, exitCode, lastWords });
  return { ok: false, error: { code: 'bench-sample-died', what } };
}
