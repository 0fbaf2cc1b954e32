import type { Command } from 'commander';
import type { Perform } from './load-commands.js';
import { addDocumentOptions, addOwnerOption, type ObjectFlags, readObjectFlags } from './object-options.js';
import { parsePositiveInteger } from './parse-option.js';
import { readUnconditional, unconditionalOption } from './unconditional-option.js';

type MoveFlags = ObjectFlags & { readonly name: string; readonly unconditional?: true };

type ListFlags = ObjectFlags & { readonly name?: string };

type PruneFlags = ObjectFlags & {
  readonly name?: string;
  readonly keep?: number;
  readonly graceHours: number;
  readonly apply?: true;
};

const storeArgument = ['<store>', 's3://bucket/prefix or a folder'] as const;

/**
 * Adds `releases list|promote|rollback|prune STORE`.
 *
 * @param program - The program.
 * @param perform - Runs the body.
 */
export function addReleasesCommand(program: Command, perform: Perform): void {
  const releases = program
    .command('releases')
    .summary('list, promote, roll back and prune what was published')
    .description(
      'Works on the releases in a store: which there are, which is current, and what nothing needs.',
    );
  addList(releases, perform);
  addPromote(releases, perform);
  addRollback(releases, perform);
  addPrune(releases, perform);
}

function addList(releases: Command, perform: Perform): void {
  const command = releases
    .command('list')
    .summary('which releases there are, and what each needs to run')
    .description(
      'Lists releases, the newest first, with what the chosen artifact of each needs to run. Documents that cannot be ' +
        'read are named. Without --name the whole store is listed.',
    )
    .argument(...storeArgument)
    .option('--name <name>', "the model's name in the store; all that are found when left out");
  addOwnerOption(command).action((storeUrl: string, flags: ListFlags) =>
    perform('releases list', async ({ context, terminal }) => {
      const { listReleases, makeObjectSettings, renderReleasesText } = await import('../api/store.js');
      const settings = makeObjectSettings(readObjectFlags(flags, 'releases list'));
      const result = await listReleases({ storeUrl, name: flags.name ?? null, settings }, context);
      const text = renderReleasesText(result, terminal.text);
      return { status: 'ok', result, findings: result.findings, text };
    }),
  );
}

function addPromote(releases: Command, perform: Perform): void {
  const command = releases
    .command('promote')
    .summary('make a release current')
    .description(
      'Verifies everything that a release names, then moves current.json to it, unless somebody else moved it meanwhile.',
    )
    .argument(...storeArgument)
    .argument('<release>', 'its name, from `releases list`')
    .requiredOption('--name <name>', "the model's name in the store (required)")
    .addOption(unconditionalOption());
  addDocumentOptions(command).action((storeUrl: string, release: string, flags: MoveFlags) =>
    perform('releases promote', async ({ context, terminal }) => {
      const { promoteRelease, renderPromoteText } = await import('../api/store.js');
      const result = await promoteRelease(
        { ...(await describeMove('promote', storeUrl, flags)), release },
        context,
      );
      const text = renderPromoteText(result, terminal.text);
      return { status: 'ok', result, findings: result.findings, text };
    }),
  );
}

function addRollback(releases: Command, perform: Perform): void {
  const command = releases
    .command('rollback')
    .summary('make the release current again that was current before')
    .description(
      'Makes the release current again that was current before, verified as promote does; one that was removed or is ' +
        'damaged is passed over. Each further rollback goes one further back, never forth; to go forth, promote. Exit 2 ' +
        'when nothing was current before.',
    )
    .argument(...storeArgument)
    .requiredOption('--name <name>', "the model's name in the store (required)")
    .addOption(unconditionalOption());
  addDocumentOptions(command).action((storeUrl: string, flags: MoveFlags) =>
    perform('releases rollback', async ({ context, terminal }) => {
      const { renderPromoteText, rollbackRelease } = await import('../api/store.js');
      const result = await rollbackRelease(await describeMove('rollback', storeUrl, flags), context);
      const text = renderPromoteText(result, terminal.text);
      return { status: 'ok', result, findings: result.findings, text };
    }),
  );
}

async function describeMove(verb: 'promote' | 'rollback', storeUrl: string, flags: MoveFlags) {
  const { makeObjectSettings } = await import('../api/store.js');
  const { name, unconditional } = flags;
  const settings = {
    ...makeObjectSettings(readObjectFlags(flags, `releases ${verb}`)),
    conditionalWrites: readUnconditional(unconditional, process.env) !== true,
  };
  return { storeUrl, name, settings, now: new Date() };
}

function addPrune(releases: Command, perform: Perform): void {
  const command = releases
    .command('prune')
    .summary('remove artifacts that no release refers to')
    .description(
      'Lists artifacts that no release refers to and interrupted uploads, and removes them with --apply. Never what a ' +
        'release or a running upload refers to. Nothing that is younger than the grace goes, save uploads that ' +
        'this machine began and whose process is known to have ended. Of a model with a damaged document ' +
        'nothing is removed; exit 4 then.',
    )
    .argument(...storeArgument)
    .option('--name <name>', "the model's name in the store; all that are found when left out")
    .option(
      '--keep <n>',
      'also remove release documents beyond the n newest, never the current one; all stay when left out',
      parsePositiveInteger,
    )
    .option(
      '--grace-hours <hours>',
      'how old releases, artifacts and uploads of unknown origin must be to be removed; at least 1, as other machines may ' +
        'be staging what is younger',
      parsePositiveInteger,
      24,
    )
    .option('--apply', 'remove; without it nothing is done');
  addDocumentOptions(command).action((storeUrl: string, flags: PruneFlags) =>
    perform('releases prune', async ({ context, terminal }) => {
      const { makeObjectSettings, pruneReleases, renderPruneText } = await import('../api/store.js');
      const { name = null, keep = null, graceHours, apply } = flags;
      const how = { keep, graceMs: graceHours * 3_600_000, isDryRun: apply !== true, now: new Date() };
      const settings = makeObjectSettings(readObjectFlags(flags, 'releases prune'));
      const options = { storeUrl, name, ...how, settings };
      const result = await pruneReleases(options, context);
      const isRefused = result.models.some(({ refusals }) => refusals.length > 0);
      const text = renderPruneText(result, terminal.text);
      return { status: isRefused ? 'unjudged' : 'ok', result, findings: result.findings, text };
    }),
  );
}
