import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connectS3, type S3Connection } from '../../src/aws/s3-connection.js';
import { openJournalEntry, readJournal } from '../../src/aws/upload-journal.js';
import { markName } from '../../src/lib/marked-name.js';
import { identifyProcess } from '../../src/lib/process-identity.js';
import { nameOfDead } from '../fixtures/left-behind.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();

afterEach(() => vi.unstubAllEnvs());

function connect(env: NodeJS.ProcessEnv): Promise<S3Connection> {
  return connectS3('models', { AWS_REGION: 'eu-west-1', ...env });
}

describe('the journal of uploads', () => {
  it('is where the environment says that the connection was made with, not that of the process', async () => {
    const [ours, others] = [await tempFolder(), await tempFolder()];
    vi.stubEnv('OPTIMISE_MODEL_STATE', others);
    const connection = await connect({ OPTIMISE_MODEL_STATE: ours });
    const entry = await openJournalEntry(connection, 'vit/a.bin');
    expect(await readJournal(connection)).toMatchObject([{ key: 'vit/a.bin', uploadId: null }]);
    expect([await readdir(join(ours, 'uploads')), await readdir(others)]).toMatchObject([
      { length: 1 },
      { length: 0 },
    ]);
    await entry.close();
    expect(await readJournal(connection)).toEqual([]);
  });

  it('knows Amazon S3 by one name, whichever region a run was told', async () => {
    const state = { OPTIMISE_MODEL_STATE: await tempFolder() };
    await openJournalEntry(await connect({ ...state, AWS_REGION: 'us-east-1' }), 'vit/a.bin');
    expect(await readJournal(await connect(state))).toHaveLength(1);
    vi.stubEnv('AWS_ENDPOINT_URL_S3', 'http://s3.local:1');
    expect(await readJournal(await connect(state))).toEqual([]);
  });

  it('takes no note of which any field is not what was written', async () => {
    const state = await tempFolder();
    const connection = await connect({ OPTIMISE_MODEL_STATE: state });
    await (await openJournalEntry(connection, 'vit/a.bin')).noteUploadId('U1');
    const [name = ''] = await readdir(join(state, 'uploads'));
    const path = join(state, 'uploads', name);
    const note = JSON.parse(await readFile(path, 'utf8'));
    expect(await readJournal(connection)).toMatchObject([{ uploadId: 'U1' }]);
    const process = identifyProcess();
    const wrong: readonly object[] = [
      { schemaVersion: 2 },
      { key: 7 },
      { key: '' },
      { uploadId: 7 },
      { uploadId: '' },
      { uploadId: undefined },
      { startedAtMs: '1' },
      { startedAtMs: 1.5 },
      { process: null },
      { process: { ...process, pid: -1 } },
      { process: { ...process, pid: '1' } },
      { process: { ...process, started: 1 } },
      { process: { ...process, world: undefined } },
    ];
    for (const change of wrong) {
      await writeFile(path, JSON.stringify({ ...note, ...change }));
      expect({ change, found: await readJournal(connection) }).toEqual({ change, found: [] });
    }
    await writeFile(path, 'null');
    expect(await readJournal(connection)).toEqual([]);
  });

  it('is rid of what a process left that died while it was writing a note, and of nothing else', async () => {
    const state = await tempFolder();
    const connection = await connect({ OPTIMISE_MODEL_STATE: state });
    await (await openJournalEntry(connection, 'vit/a.bin')).noteUploadId('1');
    const folder = join(state, 'uploads');
    const prefix = '.00000000000000aa.json.';
    const alive = markName({ prefix, suffix: '.part' });
    for (const name of [nameOfDead(prefix, '.part'), alive, 'other'])
      await writeFile(join(folder, name), '{');
    expect(await readJournal(connection)).toHaveLength(1);
    const left = await readdir(folder);
    expect(left.filter((name) => !/^[0-9a-f]{16}\.json$/.test(name)).sort()).toEqual([alive, 'other']);
  });

  it('is neither written nor followed in a shared place that others may write to', async () => {
    const path = join(await tempFolder(), 'state');
    const connection = { ...(await connect({})), stateFolder: { path, isInSharedPlace: true } };
    await (await openJournalEntry(connection, 'vit/a.bin')).close();
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    await chmod(path, 0o777);
    const refusal = { code: 'state-folder-unsafe', exitCode: 3, facts: { path } };
    await expect(openJournalEntry(connection, 'vit/a.bin')).rejects.toMatchObject(refusal);
    await expect(readJournal(connection)).rejects.toMatchObject(refusal);
  });

  it('says which folder cannot be made', async () => {
    const file = join(await tempFolder(), 'file');
    await writeFile(file, '');
    const connection = await connect({ OPTIMISE_MODEL_STATE: file });
    await expect(openJournalEntry(connection, 'vit/a.bin')).rejects.toMatchObject({
      code: 'journal-refused',
      facts: { path: expect.stringContaining(file) },
    });
  });
});
