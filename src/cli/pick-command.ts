import type { Command } from 'commander';
import type { ShippedPick } from '../api/run.js';
import { OptimiseModelError } from '../messages/error.js';
import { openRun } from './continue-run.js';
import type { Perform } from './load-commands.js';
import { addPickFlags, applyPickFlags, type PickFlags } from './pick-flags.js';
import { refuseMissingStep } from './refuse-missing-step.js';
import type { CommandOutcome, CommandSession } from './run-command.js';

/**
 * Adds `pick [RUN]`.
 *
 * @param program - The program.
 * @param perform - Runs the body.
 */
export function addPickCommand(program: Command, perform: Perform): void {
  const command = program
    .command('pick')
    .summary('choose the artifact, delivery and start mode to ship, and say why the others lost')
    .description(
      'Chooses among the candidates of a recorded run, by its own rules or, as a question, by others: nothing is ' +
        'recorded, and `publish` ships what the pipeline file asks for. Exit 1 when no candidate is left, or another ' +
        'one than expected is picked.',
    )
    .argument('[run]', 'run folder, or a name under artifacts/; the newest run when left out');
  addPickFlags(command).action((run: string | undefined, flags: PickFlags) =>
    perform('pick', (session) => answer(run, flags, session)),
  );
}

async function answer(
  run: string | undefined,
  flags: PickFlags,
  session: CommandSession,
): Promise<CommandOutcome> {
  const { findExpectation, holdExpectation, pickAgain, restoreOutcome } = await import('../api/run.js');
  const { renderPickText } = await import('../api/bench.js');
  const outcome = restoreOutcome(await openRun(run, session));
  refuseMissingStep(outcome, 'bench', outcome.bench);
  const rows = await readImported(flags);
  const picked = pickAgain(
    outcome,
    applyPickFlags(outcome.pipeline.pick, flags),
    rows,
    flags.memoryMib ?? null,
  );
  const { signal } = session.context;
  const readLast = async () => outcome.pick?.winner ?? null;
  const { expected, notes } = await findExpectation(outcome.pipeline, flags.expect, readLast, signal);
  const broken = expected === null ? null : holdExpectation(picked, expected);
  const findings = [...picked.findings, ...notes, ...(broken === null ? [] : [broken])];
  const result = { ...picked, findings };
  const isOk = result.winner !== null && broken === null;
  return {
    status: isOk ? 'ok' : 'no',
    result,
    findings: result.findings,
    text: flags.samParameters ? printParameters(result, isOk) : renderPickText(result, session.terminal.text),
  };
}

/** Start modes that are not asked for are left out of what was imported as well. */
async function readImported({ imported, startModes }: PickFlags) {
  if (imported === undefined) return [];
  const { readImportDocument } = await import('../api/run.js');
  const { rows } = await readImportDocument(imported);
  return startModes === undefined ? rows : rows.filter((row) => startModes.includes(row.startMode));
}

/** Nothing that is not to be shipped goes into a deployment. */
function printParameters({ shipment }: ShippedPick, isOk: boolean): string {
  if (!isOk || shipment === null) return '';
  const { samParameters, samProblem, variantId, delivery, startMode } = shipment;
  if (samParameters === null) {
    const picked = `${variantId}:${delivery}:${startMode}`;
    throw OptimiseModelError.of('sam-parameters-impossible', { picked, problem: samProblem ?? '' });
  }
  return Object.entries(samParameters)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
}
