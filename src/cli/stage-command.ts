import type { Command } from 'commander';
import type { CleanOptions, CleanResult, StageOptions } from '../api/store.js';
import { OptimiseModelError } from '../messages/error.js';
import type { Perform } from './load-commands.js';
import { addObjectOptions, type ObjectFlags, readObjectFlags } from './object-options.js';
import { parsePositiveInteger } from './parse-option.js';
import type { CommandOutcome, CommandSession } from './run-command.js';

type Flags = ObjectFlags & {
  readonly to: string;
  readonly name?: string;
  readonly dryRun?: true;
  readonly clean?: true;
  readonly graceHours?: number;
};

const usualConcurrency = 4;
const usualGraceHours = 24;

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
        'Content that is there already is not sent again. What interrupted uploads have left is removed first.',
    )
    .argument('[artifact]', 'an artifact folder; only --clean does without')
    .requiredOption('--to <store>', 's3://bucket/prefix or a folder (required)')
    .option('--name <name>', "the model's name in the store; only --clean does without");
  addObjectOptions(command)
    .option('--dry-run', 'say what would be sent where, and send nothing')
    .option(
      '--clean',
      'remove the parts of multipart uploads that nobody will complete, below NAME or in the whole store; stages nothing',
    )
    .option(
      '--grace-hours <hours>',
      `with --clean: how old such an upload must be when no journal on this machine knows it, at least 1; ${usualGraceHours} when left out`,
      parsePositiveInteger,
    )
    .action((artifact: string | undefined, flags: Flags) =>
      perform('stage', async (session) => {
        const { makeObjectSettings } = await import('../api/store.js');
        const { to, name, partSize, concurrency = usualConcurrency } = flags;
        const settings = makeObjectSettings(readObjectFlags(flags));
        refuseMixture(command, artifact, flags);
        if (flags.clean === true) {
          const graceMs = (flags.graceHours ?? usualGraceHours) * 3_600_000;
          const isDryRun = flags.dryRun === true;
          return clean({ to, name: name ?? null, graceMs, isDryRun, settings }, session);
        }
        if (artifact === undefined) throw refuse("missing required argument 'artifact'");
        if (name === undefined) throw refuse("required option '--name <name>' not specified");
        const partSizeBytes = partSize === undefined ? null : partSize * 1024 ** 2;
        const options = { artifact, to, name, partSizeBytes, concurrency, settings };
        return flags.dryRun === true ? plan(options, session) : stage(options, session);
      }),
    );
}

function refuseMixture(command: Command, artifact: string | undefined, { clean, graceHours }: Flags): void {
  if (clean !== true) {
    if (graceHours !== undefined) throw refuse("option '--grace-hours <hours>' needs '--clean'.");
    return;
  }
  if (artifact !== undefined) throw refuse('--clean stages nothing: leave ARTIFACT out.');
  // Variables hold for every run, so they are no mistake here.
  const isFlag = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
  if (isFlag('partSize')) throw refuse('--clean stages nothing: leave --part-size out.');
  if (isFlag('concurrency')) throw refuse('--clean stages nothing: leave --concurrency out.');
}

function refuse(problem: string): OptimiseModelError {
  return OptimiseModelError.of('usage-wrong', { problem, command: 'optimise-model stage' });
}

async function clean(options: CleanOptions, { context, terminal }: CommandSession): Promise<CommandOutcome> {
  const { cleanUploads, renderCleanText } = await import('../api/store.js');
  const result = await cleanUploads(options, context);
  refuseRemains(result);
  const { findings, listRefusal } = result;
  // What the journal knows was done; what else there is could not be seen.
  const status = listRefusal === null ? 'ok' : 'unjudged';
  return { status, result, findings, text: renderCleanText(result, terminal.text) };
}

/** A store in which parts remain is not clean, whatever was removed. */
function refuseRemains({ storeUrl, abandoned }: CleanResult): void {
  const left = abandoned.flatMap(({ url, uploadId, refusal }) =>
    refusal === null ? [] : [{ url, uploadId, refusal }],
  );
  if (left.length === 0) return;
  const removed = abandoned.filter(({ refusal }) => refusal === null).map(({ url }) => url);
  throw OptimiseModelError.of('clean-incomplete', { storeUrl, removed, left });
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
