import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ColdStartLog, type OpenOptions, openModel } from '../../src/loader/index.js';
import { tinyFeeds } from '../fixtures/artifact-folder.js';
import { type ReleasedModel, writeReleasedModel } from '../fixtures/released-model.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const temporaryFolder = useTempFolder();
const sums = Float32Array.from({ length: 64 }, (_, index) => index + 1);
let released: ReleasedModel;
let logs: ColdStartLog[];
let options: OpenOptions;

beforeEach(async () => {
  released = await writeReleasedModel('s3-copy', 1);
  logs = [];
  options = { ephemeralDir: await temporaryFolder(), onLog: (log) => logs.push(log) };
});

afterEach(() => vi.unstubAllEnvs());

describe('the log of a cold start', () => {
  it('says how the session was opened, and who decided that', async () => {
    const release = JSON.parse(await readFile(released.pinned, 'utf8'));
    release.artifacts[0].sessions = {
      own: { prepacking: false, optimisation: 'extended' },
      stream: { prepacking: false, optimisation: 'basic' },
    };
    await writeFile(released.pinned, JSON.stringify(release));
    const wanted: [OpenOptions, object][] = [
      [{}, { prepacking: false, optimisation: 'extended' }],
      [{ session: { prepacking: true } }, { prepacking: true, optimisation: 'extended' }],
      [{ delivery: 'stream' }, { prepacking: false, optimisation: 'basic' }],
    ];
    for (const [more, session] of wanted) {
      const model = await openModel(released.current, { ...options, ...more });
      expect((await model.run(tinyFeeds())).y?.data).toEqual(sums);
      expect(logs.at(-1)).toMatchObject({ session, threads: 1, threadsOrigin: 'release' });
      await model.close();
    }
    expect(logs.map((log) => log.expandedSizeBytes === null)).toEqual([true, true, false]);
    const wrong = { ...options, session: { optimisation: 'most' as 'all' } };
    await expect(openModel(released.current, wrong)).rejects.toMatchObject({ code: 'open-option-wrong' });
  });

  it('says which limit decided the threads where nobody asked for a number', async () => {
    vi.stubEnv('AWS_LAMBDA_FUNCTION_MEMORY_SIZE', '512');
    for (const [more, threads, threadsOrigin] of [
      [{}, 1, 'Lambda memory 512 MB'],
      [{ threads: 2 }, 2, 'option'],
    ] as const) {
      const model = await openModel(join(released.store, 'tiny', 'objects', released.single.digest), {
        ...options,
        ...more,
      });
      await model.run(tinyFeeds());
      expect(logs.at(-1)).toMatchObject({ threads, threadsOrigin, threadsWarning: null, memoryMiB: 512 });
      await model.close();
    }
  });
});
