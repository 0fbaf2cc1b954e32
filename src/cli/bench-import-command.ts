import type { Command } from 'commander';
import { OptimiseModelError } from '../messages/error.js';
import { openRun } from './continue-run.js';
import type { Perform } from './load-commands.js';
import { refuseMissingStep } from './refuse-missing-step.js';
import type { CommandSession } from './run-command.js';

type Flags = { readonly function?: string; readonly skipIncomplete?: boolean; readonly run?: string };

/**
 * Adds `bench import FILE...` below `bench`.
 *
 * @param bench - The command `bench`.
 * @param perform - Runs the body.
 */
export function addBenchImportCommand(bench: Command, perform: Perform): void {
  const command = bench.command('import');
  command
    .summary('read what real runs on Lambda took out of their logs')
    .description(
      'Reads logs and traces of functions on Lambda and gives, per function, memory and start mode, the time from the call ' +
        'to the load, the load, the first and the further inferences and their sums, and what passed before the process ' +
        'existed. These times come from what the loader or the handlers of pipelines/lambda log, or from X-Ray traces with ' +
        'their subsegments; REPORT lines and platform events of CloudWatch Logs have memory, start and billing only, and ' +
        'alone are not enough. Takes them as text or as the AWS CLI or Logs Insights export them, in any mixture; all may ' +
        'be packed by gzip.',
    )
    // Those of `bench` are no part of this one, though commander lists and reads them.
    .configureHelp({ visibleGlobalOptions: () => [...(bench.parent?.options ?? [])] })
    .argument('<file...>', 'exports, in any mixture')
    .option('--function <name>', 'function whose logs these are, where no record says it')
    .option('--skip-incomplete', 'leave out invocations that lack a field, instead of ending with an error')
    .option(
      '--run <run>',
      'run folder, or a name under artifacts/, whose benchmark stands in one table with these',
    )
    .action((files: string[], flags: Flags) =>
      perform('bench import', async (session) => {
        refuseBenchFlags(bench);
        const { importLambdaRuns, renderImportText } = await import('../api/bench.js');
        const options = {
          files,
          functionName: flags.function ?? null,
          skipIncomplete: flags.skipIncomplete === true,
        };
        const measured = flags.run === undefined ? null : await readBench(flags.run, session);
        const result = await importLambdaRuns(options, session.context);
        const { findings } = result;
        return {
          status: 'ok',
          result,
          findings,
          text: renderImportText(result, measured, session.terminal.text),
        };
      }),
    );
}

async function readBench(run: string, session: CommandSession) {
  const { makeRunView, restoreOutcome } = await import('../api/run.js');
  const outcome = restoreOutcome(await openRun(run, session));
  return refuseMissingStep(outcome, 'bench', makeRunView(outcome).bench);
}

function refuseBenchFlags(bench: Command): void {
  const given = bench.options.find((option) => bench.getOptionValueSource(option.attributeName()) === 'cli');
  if (given === undefined) return;
  const problem = `${given.long} is an option of \`optimise-model bench\`, which measures; an import measures nothing`;
  throw OptimiseModelError.of('usage-wrong', { problem, command: 'optimise-model bench import' });
}
