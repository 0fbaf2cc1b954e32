import type { RunVerb } from '../api/choices.js';
import type { Pipeline, RunOutcome, RunRecord } from '../api/run.js';
import type { CommandSession } from './run-command.js';
import { makeStepPrinter } from './step-lines.js';

/** How a recorded run goes on. */
export type Continuation = {
  readonly until: RunVerb;
  readonly redo: readonly RunVerb[];
  /** Whether a `current.json` that somebody moved is moved back. */
  readonly movesBack: boolean;
  /** What is asked differently. */
  readonly change: (pipeline: Pipeline) => Pipeline;
  /** Whether that is for this time only: the record keeps what the run was asked, and stays as it is when this fails. */
  readonly isOnce: boolean;
};

/**
 * Opens the record of a run, and says which one it is when nobody named it.
 *
 * @param named - Run folder or name; the newest run when undefined.
 * @param session - The command's session.
 * @returns The record.
 * @throws run-not-found, run-record-unreadable.
 */
export async function openRun(named: string | undefined, session: CommandSession): Promise<RunRecord> {
  const { findRunFolder, readRunRecord } = await import('../api/run.js');
  const folder = await findRunFolder(named, process.cwd());
  if (named === undefined) session.say(`run: ${folder}`);
  return readRunRecord(folder);
}

/**
 * Goes on with a recorded run, earlier steps reused where nothing changed, and writes its reports again so that all
 * files of the run agree.
 *
 * @param named - Run folder or name; the newest run when undefined.
 * @param how - Where to stop, what to redo, what to change.
 * @param session - The command's session.
 * @returns The outcome up to that verb.
 * @throws run-not-found, and whatever a step throws; `runtime-missing` where the record holds variants for OpenVINO that
 *   is not here any more.
 */
export async function continueRun(
  named: string | undefined,
  how: Continuation,
  session: CommandSession,
): Promise<RunOutcome> {
  const { listMadeForOpenvino, makeRunView, runPipeline, writeReports } = await import('../api/run.js');
  const record = await openRun(named, session);
  const { until, redo, movesBack, change, isOnce } = how;
  const { context } = session;
  const outcome = await runPipeline(change(record.pipeline), {
    ...{ context, until, redo, movesBack, mustMake: listMadeForOpenvino(record) },
    ...(isOnce ? { recordAs: record.pipeline } : {}),
    onStep: makeStepPrinter(session),
  });
  for (const file of await writeReports(makeRunView(outcome), outcome.pipeline.output)) {
    session.say(`wrote ${file.path}`);
  }
  return outcome;
}
