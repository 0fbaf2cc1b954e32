import type { Command } from 'commander';
import { continueRun } from './continue-run.js';
import type { Perform } from './load-commands.js';
import { parsePositiveInteger, parseWholeNumber } from './parse-option.js';
import { refuseMissingStep } from './refuse-missing-step.js';

type Flags = { readonly runs?: number; readonly warm?: number; readonly threads?: number };

/**
 * Adds `bench [RUN]`.
 *
 * @param program - The program.
 * @param perform - Runs the body.
 */
export function addBenchCommand(program: Command, perform: Perform): void {
  program
    .command('bench')
    .summary('measure process start and steady state of a run again')
    .description(
      'Measures every variant and delivery of a recorded run anew; each sample is a new process that opens the staged ' +
        'artifact with the loader. Earlier steps are reused where nothing changed.',
    )
    .argument('[run]', 'run folder, or a name under artifacts/; the newest run when left out')
    .option('--runs <n>', 'samples per variant and delivery, each a new process', parsePositiveInteger)
    .option('--warm <n>', 'inferences after the first, per sample', parseWholeNumber)
    .option('--threads <n>', 'threads inside one operator', parsePositiveInteger)
    .action((run: string | undefined, flags: Flags) =>
      perform('bench', async (session) => {
        const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
        const outcome = await continueRun(
          run,
          {
            until: 'bench',
            redo: ['bench'],
            movesBack: false,
            change: (pipeline) => ({ ...pipeline, bench: { ...pipeline.bench, ...given } }),
          },
          session,
        );
        const result = refuseMissingStep(outcome, 'bench', outcome.bench);
        const { findings } = result;
        const { renderBenchText } = await import('../api/bench.js');
        const text = renderBenchText(result, session.terminal.text);
        return { status: 'ok', result, findings, text };
      }),
    );
}
