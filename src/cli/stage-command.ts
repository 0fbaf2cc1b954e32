import type { Command } from 'commander';
import type { Perform } from './load-commands.js';
import { parsePositiveInteger } from './parse-option.js';

type Flags = {
  readonly to: string;
  readonly name: string;
  readonly partSize?: number;
  readonly concurrency: number;
};

/**
 * Adds `stage ARTIFACT --to STORE`.
 *
 * @param program - The program.
 * @param perform - Runs the body.
 */
export function addStageCommand(program: Command, perform: Perform): void {
  program
    .command('stage')
    .summary('send an artifact to a store, verified')
    .description(
      'Sends the files of an artifact to S3 (parallel parts) or a folder, verifies each and writes artifact.json last. ' +
        'Content that is there already is not sent again.',
    )
    .argument('<artifact>', 'an artifact folder')
    .requiredOption('--to <store>', 's3://bucket/prefix or a folder (required)')
    .requiredOption('--name <name>', "the model's name in the store (required)")
    .option(
      '--part-size <MiB>',
      'part size of multipart uploads; chosen from the size of a file when left out',
      parsePositiveInteger,
    )
    .option('--concurrency <n>', 'parts sent at the same time', parsePositiveInteger, 4)
    .action((artifact: string, flags: Flags) =>
      perform('stage', async ({ context, terminal }) => {
        const { defaultObjectSettings, renderStageText, stageArtifact } = await import('../api/store.js');
        const { to, name, partSize, concurrency } = flags;
        const partSizeBytes = partSize === undefined ? null : partSize * 1024 ** 2;
        const options = { artifact, to, name, partSizeBytes, concurrency, settings: defaultObjectSettings };
        const result = await stageArtifact(options, context);
        const { findings } = result;
        return { status: 'ok', result, findings, text: renderStageText(result, terminal.text) };
      }),
    );
}
