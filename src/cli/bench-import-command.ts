import type { Command } from 'commander';
import type { Perform } from './load-commands.js';

type Flags = { readonly function?: string; readonly skipIncomplete?: boolean };

/**
 * Adds `bench import FILE...` below `bench`.
 *
 * @param bench - The command `bench`.
 * @param perform - Runs the body.
 */
export function addBenchImportCommand(bench: Command, perform: Perform): void {
  bench
    .command('import')
    .summary('read what real runs on Lambda took out of their logs')
    .description(
      'Reads logs and traces of functions on Lambda and gives, per function, memory and start mode, the time from the call ' +
        'to the load, the load, the first and the further inferences and their sums, and what passed before the process ' +
        'existed. Takes REPORT lines and platform events of CloudWatch Logs, as text or as the AWS CLI or Logs Insights ' +
        'export them, X-Ray traces, and what the loader and the handlers of pipelines/lambda log; all may be packed by gzip.',
    )
    .argument('<file...>', 'exports, in any mixture')
    .option('--function <name>', 'function whose logs these are, where no record says it')
    .option('--skip-incomplete', 'leave out invocations that lack a field, instead of ending with an error')
    .action((files: string[], flags: Flags) =>
      perform('bench import', async (session) => {
        const { importLambdaRuns, renderImportText } = await import('../api/bench.js');
        const options = {
          files,
          functionName: flags.function ?? null,
          skipIncomplete: flags.skipIncomplete === true,
        };
        const result = await importLambdaRuns(options, session.context);
        const { findings } = result;
        return { status: 'ok', result, findings, text: renderImportText(result, session.terminal.text) };
      }),
    );
}
