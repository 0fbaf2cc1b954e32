import {
  findRunFolder,
  type Pipeline,
  type RunOutcome,
  type RunVerb,
  readRunRecord,
  runPipeline,
} from '../index.js';
import type { CommandSession } from './run-command.js';
import { makeStepPrinter } from './step-lines.js';

/** How a recorded run goes on. */
export type Continuation = {
  readonly until: RunVerb;
  readonly redo: readonly RunVerb[];
  /** What is asked differently this time. */
  readonly change: (pipeline: Pipeline) => Pipeline;
};

/**
 * Goes on with a recorded run: earlier steps are reused where nothing changed.
 *
 * @param named - Run folder or name; the newest run when undefined.
 * @param how - Where to stop, what to redo, what to change.
 * @param session - The command's session.
 * @returns The outcome up to that verb.
 * @throws run-not-found, and whatever a step throws.
 */
export async function continueRun(
  named: string | undefined,
  how: Continuation,
  session: CommandSession,
): Promise<RunOutcome> {
  const record = await readRunRecord(await findRunFolder(named, process.cwd()));
  const { until, redo, change } = how;
  const { context } = session;
  return runPipeline(change(record.pipeline), { context, until, redo, onStep: makeStepPrinter(session) });
}
