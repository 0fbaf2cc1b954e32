import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeProject, runCli } from './run-cli.js';

const store = 'artifacts/store';
let folder: string;
let releases: string[];
let accepts: (document: unknown) => boolean;

beforeAll(async () => {
  const schema = resolve(import.meta.dirname, '../../pipelines/schema/result.schema.json');
  accepts = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(
    JSON.parse(await readFile(schema, 'utf8')),
  );
  folder = await makeProject();
  for (const args of [
    ['run', 'tiny'],
    ['run', 'tiny', '--redo', 'publish'],
  ]) {
    expect((await runCli(args, folder)).exitCode).toBe(0);
  }
  releases = (await readdir(join(folder, store, 'tiny/releases')))
    .map((name) => name.replace('.json', ''))
    .sort();
});

async function runJson(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { stdout, stderr, exitCode } = await runCli(['releases', ...args, '--json'], folder, env);
  const document = JSON.parse(stdout);
  expect(accepts(document)).toBe(true);
  expect(stderr).toBe('');
  return { document, exitCode };
}

/** Makes all files of a folder two hours old. */
async function makeOlder(place: string): Promise<void> {
  const then = Date.now() / 1_000 - 7_200;
  for (const entry of await readdir(place, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), then, then);
  }
}

describe('releases', () => {
  it('lists, promotes, rolls back and prunes, each with a document of its own', async () => {
    const [older = '', newer = ''] = releases;
    const listed = await runJson(['list', store]);
    expect(listed.document).toMatchObject({ command: 'releases list', status: 'ok' });
    expect(listed.document.result.models[0]).toMatchObject({
      ...{
        name: 'tiny',
        current: newer,
        releases: [{ release: newer, isCurrent: true }, { release: older }],
      },
    });
    const back = await runJson(['rollback', store, '--name', 'tiny']);
    expect(back.document).toMatchObject({
      ...{ command: 'releases rollback', result: { release: older, previousRelease: newer, moved: true } },
    });
    const forth = await runJson(['promote', store, newer, '--name', 'tiny']);
    expect(forth.document).toMatchObject({
      command: 'releases promote',
      result: { release: newer, moved: true },
    });
    await makeOlder(join(folder, store));
    const dry = await runJson(['prune', store, '--keep', '1', '--grace-hours', '1']);
    expect(dry.document).toMatchObject({
      command: 'releases prune',
      result: {
        isDryRun: true,
        models: [{ releases: [{ release: older, outcome: 'planned' }], folders: [] }],
      },
    });
    const applied = await runJson(['prune', store, '--keep', '1', '--grace-hours', '1', '--apply']);
    expect(applied.document.result.models[0].releases).toMatchObject([
      { release: older, outcome: 'removed' },
    ]);
    expect(await readdir(join(folder, store, 'tiny/releases'))).toEqual([`${newer}.json`]);
    const none = await runJson(['rollback', store, '--name', 'tiny']);
    expect(none).toMatchObject({ exitCode: 2, document: { command: 'releases rollback', status: 'error' } });
    expect(none.document.error.code).toBe('rollback-impossible');
  });

  it('shows tables that fit a pipe', async () => {
    const listed = await runCli(['releases', 'list', store, '--name', 'tiny'], folder);
    expect(listed.exitCode).toBe(0);
    expect(listed.stdout).toMatch(/Releases of tiny in .*artifacts\/store/);
    expect(listed.stdout).toMatch(/current.*\d+ +\d[\d,]+/);
    expect(listed.stdout).toMatch(/onnxruntime\s+≥\s+1\.\d+/);
    const pruned = await runCli(['releases', 'prune', store], folder);
    expect(pruned.stdout).toContain('Nothing was removed; --apply removes nothing');
  });

  it('gets out of a damaged current.json by promote and by publish, as it says', async () => {
    const [, newer = ''] = releases;
    const current = join(folder, store, 'tiny/current.json');
    await writeFile(current, '{');
    const listed = await runJson(['list', store]);
    expect(listed.document.findings[0].remedy).toMatch(/promote STORE RELEASE.*publish RUN/);
    const pruned = await runJson(['prune', store]);
    expect(pruned.exitCode).toBe(4);
    expect(pruned.document.findings[0].remedy).toMatch(/^Replace current\.json first .*promote/);
    const rolled = await runJson(['rollback', store, '--name', 'tiny']);
    expect(rolled.document.error).toMatchObject({ code: 'rollback-impossible' });
    const promoted = await runJson(['promote', store, newer, '--name', 'tiny']);
    expect(promoted).toMatchObject({ exitCode: 0, document: { result: { release: newer, moved: true } } });
    expect(promoted.document.findings).toMatchObject([{ code: 'current-replaced', severity: 'warning' }]);
    await writeFile(current, '{');
    const published = await runCli(['publish', '--json'], folder);
    expect(published.exitCode).toBe(0);
    const { findings, result } = JSON.parse(published.stdout);
    expect(findings).toEqual(expect.arrayContaining([expect.objectContaining({ code: 'current-replaced' })]));
    expect(JSON.parse(await readFile(current, 'utf8'))).toMatchObject({
      ...{ release: result.release, previousReleases: [] },
    });
  });

  it('says where it looks for a name that is not there', async () => {
    const listed = await runCli(['releases', 'list', store, '--name', 'nope'], folder);
    expect(listed.exitCode).toBe(0);
    expect(listed.stdout.replace(/\s+/g, ' ')).toMatch(
      /current\.json is looked for at .*nope\/current\.json/,
    );
    for (const args of [
      ['prune', store, '--name', 'nope'],
      ['prune', 'artifacts/nope'],
      ['rollback', store, '--name', 'nope'],
    ]) {
      const { document, exitCode } = await runJson(args);
      expect({ exitCode, code: document.error.code }).toEqual({ exitCode: 2, code: 'name-not-there' });
    }
  });

  it('says with exit 4 when it cannot know what is needed', async () => {
    const damaged = join(folder, store, 'tiny/releases/20200101T000000Z-00000000.json');
    await writeFile(damaged, '{');
    const { document, exitCode } = await runJson(['prune', store, '--apply']);
    expect(exitCode).toBe(4);
    expect(document).toMatchObject({ status: 'unjudged', findings: [{ code: 'prune-refused' }] });
    const listed = await runJson(['list', store]);
    expect(listed.exitCode).toBe(0);
    expect(listed.document.findings).toMatchObject([{ code: 'release-damaged', severity: 'warning' }]);
  });

  it.each([
    ['no name', ['promote', store, 'r'], 'releases promote', '--name'],
    ['a number that is none', ['prune', store, '--keep', '0'], 'releases prune', 'at least 1'],
    [
      'to remove what may be on its way',
      ['prune', store, '--grace-hours', '0'],
      'releases prune',
      'at least 1',
    ],
    [
      'a key without its encryption',
      ['promote', store, 'r', '--name', 'tiny', '--sse-kms-key-id', 'alias/k'],
      'releases promote',
      "needs '--sse aws:kms'",
    ],
    ['a part that does not exist', ['remove', store], 'optimise-model', "unknown command 'remove'"],
  ])('refuses %s with 2', async (_what, args, command, words) => {
    const { document, exitCode } = await runJson(args);
    expect(exitCode).toBe(2);
    expect(document).toMatchObject({ command, error: { code: 'usage-wrong' } });
    expect(document.error.what).toContain(words);
    expect(document.error.remedy).toContain(
      `optimise-model ${command === 'optimise-model' ? 'releases' : command} --help`,
    );
  });

  it('takes OPTIMISE_MODEL_UNCONDITIONAL as yes or no', async () => {
    const args = ['promote', store, releases[1] ?? '', '--name', 'tiny'];
    expect((await runJson(args, { OPTIMISE_MODEL_UNCONDITIONAL: 'false' })).exitCode).toBe(0);
    const { document } = await runJson(args, { OPTIMISE_MODEL_UNCONDITIONAL: 'perhaps' });
    expect(document.error).toMatchObject({
      code: 'usage-wrong',
      what: expect.stringContaining('expected true or false'),
    });
  });
});
