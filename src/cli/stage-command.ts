import type { Command } from 'commander';
import type { StageOptions } from '../api/store.js';
import type { Perform } from './load-commands.js';
import { addObjectOptions, type ObjectFlags, readObjectFlags } from './object-options.js';
import type { CommandOutcome, CommandSession } from './run-command.js';

type Flags = ObjectFlags & { readonly to: string; readonly name: string; readonly dryRun?: true };

const usualConcurrency = 4;

/**
 * Adds `stage ARTIFACT --to STORE`.
 *
 * @param program - The program.
 * @param perform - Runs the body.
 */
export function addStageCommand(program: Command, perform: Perform): void {
  const command = program
    .command('stage')
    .summary('send an artifact to a store, verified')
    .description(
      'Sends the files of an artifact to S3 (parallel parts) or a folder, verifies each and writes artifact.json last. ' +
        'Content that is there already is not sent again.',
    )
    .argument('<artifact>', 'an artifact folder')
    .requiredOption('--to <store>', 's3://bucket/prefix or a folder (required)')
    .requiredOption('--name <name>', "the model's name in the store (required)");
  addObjectOptions(command)
    .option('--dry-run', 'say what would be sent where, and send nothing')
    .action((artifact: string, flags: Flags) =>
      perform('stage', async (session) => {
        const { makeObjectSettings } = await import('../api/store.js');
        const { to, name, partSize, concurrency = usualConcurrency } = flags;
        const settings = makeObjectSettings(readObjectFlags(flags));
        const partSizeBytes = partSize === undefined ? null : partSize * 1024 ** 2;
        const options = { artifact, to, name, partSizeBytes, concurrency, settings };
        return flags.dryRun === true ? plan(options, session) : stage(options, session);
      }),
    );
}

async function stage(options: StageOptions, { context, terminal }: CommandSession): Promise<CommandOutcome> {
  const { renderStageText, stageArtifact } = await import('../api/store.js');
  const result = await stageArtifact(options, context);
  const { findings } = result;
  return { status: 'ok', result, findings, text: renderStageText(result, terminal.text) };
}

async function plan(options: StageOptions, { context, terminal }: CommandSession): Promise<CommandOutcome> {
  const { planStaging, renderPlanText } = await import('../api/store.js');
  const result = await planStaging(options, context);
  return { status: 'ok', result, findings: [], text: renderPlanText(result, terminal.text) };
}
