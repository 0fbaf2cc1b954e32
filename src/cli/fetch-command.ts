import type { Command } from 'commander';
import type { Perform } from './load-commands.js';
import { parsePositiveInteger } from './parse-option.js';

type Flags = { readonly to: string; readonly partSizeMib: number; readonly concurrency: number };

/**
 * Adds `fetch URL --to DIR`.
 *
 * @param program - The program.
 * @param perform - Runs the body.
 */
export function addFetchCommand(program: Command, perform: Perform): void {
  program
    .command('fetch')
    .summary('download a staged artifact, verified')
    .description(
      'Downloads an artifact by parallel ranges, verifies every file by its SHA-256 and only then gives the folder its ' +
        'name.',
    )
    .argument(
      '<url>',
      'address of a current.json, releases/RELEASE.json or artifact.json, or the folder or prefix of one',
    )
    .requiredOption('--to <folder>', 'the folder that it becomes (required)')
    .option('--part-size-mib <MiB>', 'size of one range', parsePositiveInteger, 8)
    .option(
      '--concurrency <n>',
      'ranges read at the same time, of all files together',
      parsePositiveInteger,
      4,
    )
    .action((url: string, flags: Flags) =>
      perform('fetch', async ({ context, terminal }) => {
        const { fetchArtifact, renderFetchText } = await import('../api/store.js');
        const { to, partSizeMib, concurrency } = flags;
        const options = { url, to, concurrency, partSizeBytes: partSizeMib * 1024 ** 2 };
        const result = await fetchArtifact(options, context);
        return {
          status: 'ok',
          result,
          findings: [],
          text: renderFetchText(result, terminal.text),
        };
      }),
    );
}
