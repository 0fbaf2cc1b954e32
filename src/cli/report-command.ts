import type { Command } from 'commander';
import { openRun } from './continue-run.js';
import type { Perform } from './load-commands.js';
import { repeatable } from './parse-choices.js';

/**
 * Adds `report [RUN]`.
 *
 * @param program - The program.
 * @param perform - Runs the body.
 */
export function addReportCommand(program: Command, perform: Perform): void {
  program
    .command('report')
    .summary('write the HTML page, the Markdown and the JSON of a run again')
    .description(
      'Writes report.html (one self-contained page), report.md and result.json from the record of a run, and prints the ' +
        'Markdown, ready for a pull-request comment. No step is done. With --imported, real runs on Lambda stand in one table ' +
        'with the benchmark, by the same six metrics.',
    )
    .argument('[run]', 'run folder, or a name under artifacts/; the newest run when left out')
    .addOption(repeatable('--imported <file>', 'real runs: what `bench import --json` printed'))
    .action((run: string | undefined, flags: { readonly imported?: readonly string[] }) =>
      perform('report', async (session) => {
        const { makeRunView, readImportDocument, renderRunMarkdown, restoreOutcome, writeReports } =
          await import('../api/run.js');
        const imported = await Promise.all((flags.imported ?? []).map(readImportDocument));
        const record = await openRun(run, session);
        const folder = record.pipeline.output;
        const view = makeRunView(restoreOutcome(record), imported);
        const written = await writeReports(view, folder);
        for (const file of written) session.say(`wrote ${file.path}`);
        return {
          status: 'ok',
          result: { run: folder, written },
          findings: [],
          text: renderRunMarkdown(view),
        };
      }),
    );
}
