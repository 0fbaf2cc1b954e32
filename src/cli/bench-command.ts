import type { Command } from 'commander';
import type { BenchResult } from '../api/bench.js';
import type { RunOutcome } from '../api/run.js';
import { addBenchFlags, applyBenchFlags, type BenchFlags } from './bench-flags.js';
import { addBenchImportCommand } from './bench-import-command.js';
import { continueRun } from './continue-run.js';
import type { Perform } from './load-commands.js';
import { addOpenvinoOption } from './openvino-option.js';
import { refuseMissingStep } from './refuse-missing-step.js';
import type { Terminal } from './terminal.js';

/**
 * Adds `bench [RUN]`.
 *
 * @param program - The program.
 * @param perform - Runs the body.
 */
export function addBenchCommand(program: Command, perform: Perform): void {
  const bench = program
    .command('bench')
    .summary('measure cold start and steady state of a run again, or import real ones')
    .description(
      'Measures every variant and delivery of a recorded run anew; each sample is a new process that opens the staged ' +
        'artifact with the loader. Earlier steps are reused where nothing changed. Options hold for this call; the ' +
        "measurement, once it is done, takes the place of the run's. Exit 3 where OpenVINO is missing that variants of the run are made for. With --baseline exit 1 when the best " +
        'candidate, by total, is slower than accepted, 4 when the samples do not tell.',
    )
    .argument('[run]', 'run folder, or a name under artifacts/; the newest run when left out');
  addOpenvinoOption(addBenchFlags(bench));
  bench.action((run: string | undefined, flags: BenchFlags) =>
    perform('bench', async (session) => {
      const outcome = await continueRun(
        run,
        {
          // With the pick, so that reports and record agree on what the new measurement comes to.
          until: 'pick',
          redo: ['bench'],
          movesBack: false,
          change: (pipeline) => applyBenchFlags(pipeline, flags),
          isOnce: true,
        },
        session,
      );
      const bench = refuseMissingStep(outcome, 'bench', outcome.bench);
      const { tunes, sweeps, notes } = outcome;
      const { judgeGate } = await import('../api/run.js');
      return {
        status: judgeGate(bench),
        result: { ...bench, tunes, sweeps },
        findings: [...notes, ...[...tunes, bench, ...sweeps].flatMap((each) => each.findings)],
        text: await drawText({ bench, tunes, sweeps }, session.terminal.text),
      };
    }),
  );
  addBenchImportCommand(bench, perform);
}

async function drawText(
  { bench, tunes, sweeps }: Pick<RunOutcome, 'tunes' | 'sweeps'> & { readonly bench: BenchResult },
  settings: Terminal['text'],
): Promise<string> {
  const { renderBenchText, renderSweepText, renderTuneText } = await import('../api/bench.js');
  return [
    ...tunes.map((tune) => renderTuneText(tune, settings)),
    renderBenchText(bench, settings),
    ...sweeps.map((sweep) => renderSweepText(sweep, settings)),
  ].join('\n\n');
}
