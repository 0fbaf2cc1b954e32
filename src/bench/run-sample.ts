import { resolveChildModule } from '../lib/child-module.js';
import { type ChildEnd, converseWithChild } from '../lib/converse-with-child.js';
import { describe } from '../messages/catalogue.js';
import type { SampleAnswer, SampleJob } from './sample-message.js';

/** The program that one sample is. */
export const sampleProgram = resolveChildModule('../bench/sample-child.js', import.meta.url);

/**
 * Takes one sample in a process of its own.
 *
 * @param job - What it does.
 * @param timeoutMs - When it is killed.
 * @param signal - Kills it at once.
 * @returns What it measured; dying, hanging and failing are answers too.
 * @throws The signal's reason. The process has ended by then.
 */
export async function runSample(
  job: SampleJob,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<SampleAnswer> {
  // On the command line, so that nothing has to be waited for before the measuring begins.
  const args = [JSON.stringify(job)];
  const conversation = { program: sampleProgram, args, request: null, timeoutMs, signal };
  const end = await converseWithChild<SampleAnswer>(conversation);
  return end.answer ?? explainSilence(end, timeoutMs);
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
