import type { Command } from 'commander';
import type { Perform } from './load-commands.js';
import { addOwnerOption, addReadingOptions, type ObjectFlags, readObjectFlags } from './object-options.js';

type Flags = ObjectFlags & {
  readonly to: string;
  readonly partSize: number;
  readonly concurrency: number;
};

/**
 * Adds `fetch URL --to DIR`.
 *
 * @param program - The program.
 * @param perform - Runs the body.
 */
export function addFetchCommand(program: Command, perform: Perform): void {
  const command = program
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
    .requiredOption('--to <folder>', 'the folder that it becomes (required)');
  addOwnerOption(addReadingOptions(command)).action((url: string, flags: Flags) =>
    perform('fetch', async ({ context, terminal }) => {
      const { fetchArtifact, makeObjectSettings, renderFetchText } = await import('../api/store.js');
      const { to, partSize, concurrency } = flags;
      const settings = makeObjectSettings(readObjectFlags(flags, 'fetch'));
      const options = { url, to, concurrency, partSizeBytes: partSize * 1024 ** 2, settings };
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
