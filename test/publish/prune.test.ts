import { join } from 'node:path';
import { CreateMultipartUploadCommand, S3Client } from '@aws-sdk/client-s3';
import { beforeEach, expect, it } from 'vitest';
import { defaultObjectSettings } from '../../src/lib/object-settings.js';
import { quietContext } from '../../src/lib/work-context.js';
import { OptimiseModelError } from '../../src/messages/error.js';
import { promoteRelease } from '../../src/publish/promote-release.js';
import { pruneStore } from '../../src/publish/prune/prune-releases.js';
import { publishInto } from '../../src/publish/publish-release.js';
import type { ArtifactRecord } from '../../src/store/artifact-record.js';
import { catchError } from '../fixtures/catch-error.js';
import { temporaryFolder } from '../fixtures/opaque-artifact.js';
import { describeEachStore, describeS3 } from './each-store.js';
import { contentOf, minutesLater, openPlace, type StoreHooks, stageOne } from './open-place.js';
import { day, folderOf, prune } from './prune-store.js';
import { keysOf, putObject } from './raw-store.js';

async function publish(url: string, record: ArtifactRecord, minutes: number): Promise<string> {
  const place = await openPlace(url);
  return (await publishInto(place, contentOf(record, minutesLater(minutes)), quietContext())).release;
}

describeEachStore('releases prune', (store) => {
  let used: ArtifactRecord;
  let unused: ArtifactRecord;
  let release: string;
  beforeEach(async () => {
    used = await stageOne(store.url, 1);
    unused = await stageOne(store.url, 2);
    release = await publish(store.url, used, 0);
  });

  it('says what it would remove, and does nothing', async () => {
    const before = await keysOf(store.url);
    const result = await prune(store.url, { isDryRun: true });
    expect(result).toMatchObject({
      ...{ isDryRun: true, releases: 0, artifacts: 1, objects: 2, uploads: 0, findings: [], abandoned: [] },
      models: [
        {
          ...{ name: 'vit', refusals: [], releases: [], spared: { folders: 0, sizeBytes: 0 } },
          folders: [{ digest: unused.digest, objects: 2, outcome: 'planned', reason: null }],
        },
      ],
    });
    expect(result.sizeBytes).toBeGreaterThan(3_000);
    expect(await keysOf(store.url)).toEqual(before);
  });

  it('removes what no release refers to, and nothing that is not ours', async () => {
    await putObject(store.url, 'vit/notes.txt', 'x');
    await putObject(store.url, 'vit/objects/readme.txt', 'x');
    await putObject(store.url, `deeper/vit/objects/${'a'.repeat(64)}/model.onnx`, 'x');
    const before = await keysOf(store.url);
    const result = await prune(store.url);
    expect(result.models[0]?.folders).toMatchObject([{ digest: unused.digest, outcome: 'removed' }]);
    expect(await keysOf(store.url)).toEqual(before.filter((key) => !folderOf(unused).includes(key)));
    expect(await prune(store.url)).toMatchObject({ objects: 0, sizeBytes: 0 });
  });

  it('spares what is younger than the grace', async () => {
    const before = await keysOf(store.url);
    const result = await prune(store.url, { graceMs: 3 * day });
    expect(result.models[0]).toMatchObject({ folders: [], spared: { folders: 1 } });
    expect(await keysOf(store.url)).toEqual(before);
  });

  it('removes releases beyond those that are kept, then what only they referred to', async () => {
    const newer = await publish(store.url, unused, 1);
    const newest = await publish(store.url, unused, 2);
    const planned = await prune(store.url, { keep: 1, isDryRun: true });
    expect(planned).toMatchObject({ releases: 2, artifacts: 1, objects: 2 });
    expect(planned.models[0]).toMatchObject({
      releases: [{ release: newer, outcome: 'planned' }, { release }],
      folders: [{ digest: used.digest, outcome: 'planned' }],
    });
    const removed: string[] = [];
    const noting: StoreHooks = {
      remove: (go, key) => {
        removed.push(key);
        return go();
      },
    };
    await prune(store.url, { keep: 1 }, noting);
    expect(removed.findIndex((key) => key.includes('/objects/'))).toBe(2);
    expect(await keysOf(store.url)).toEqual(
      ['vit/current.json', ...folderOf(unused), `vit/releases/${newest}.json`].sort(),
    );
  });

  it('never removes the current release, however old, nor what it refers to', async () => {
    const newer = await publish(store.url, unused, 1);
    const newest = await publish(store.url, unused, 2);
    const back = { storeUrl: store.url, name: 'vit', release, settings: defaultObjectSettings };
    await promoteRelease({ ...back, now: minutesLater(3) });
    const result = await prune(store.url, { keep: 1 });
    expect(result.models[0]).toMatchObject({
      releases: [{ release: newer, outcome: 'removed' }],
      folders: [],
    });
    expect(await keysOf(store.url)).toEqual(
      [
        ...['vit/current.json', ...folderOf(used), ...folderOf(unused)],
        ...[`vit/releases/${release}.json`, `vit/releases/${newest}.json`],
      ].sort(),
    );
  });

  it.each([
    ['a release document', 'vit/releases/20260101T000000Z-aaaaaaaa.json', '{}'],
    ['current.json', 'vit/current.json', 'x'],
    [
      'a current.json that names what is not there',
      'vit/current.json',
      '{"schemaVersion":1,"kind":"current","name":"vit","release":"r","releaseKey":"releases/r.json","updatedAt":"x"}',
    ],
  ])(
    'removes nothing of a model when it cannot read %s, but goes on with others',
    async (_what, key, text) => {
      await putObject(store.url, key, text);
      const other = await stageOne(store.url, 3, 'other');
      const before = await keysOf(store.url);
      const result = await prune(store.url, { keep: 1 });
      expect(result.findings).toMatchObject([{ code: 'prune-refused', severity: 'error' }]);
      expect(result.findings[0]?.what).toContain(key);
      expect(result.models).toMatchObject([
        { name: 'other', folders: [{ digest: other.digest, outcome: 'removed' }] },
        { name: 'vit', refusals: [expect.stringContaining(key)], folders: [], releases: [] },
      ]);
      expect(await keysOf(store.url)).toEqual(before.filter((its) => !its.startsWith('other/')));
    },
  );

  it('refuses a name that nothing lies under', async () => {
    const before = await keysOf(store.url);
    const error = await catchError(() => prune(store.url, { name: 'nope' }));
    expect(error).toMatchObject({ code: 'name-not-there', exitCode: 2 });
    expect(error.message).toContain('/nope/current.json');
    expect(error.remedy).toContain(`optimise-model releases list ${store.url}`);
    expect(await keysOf(store.url)).toEqual(before);
  });

  it('takes one model when it is named', async () => {
    const other = await stageOne(store.url, 3, 'other');
    const result = await prune(store.url, { name: 'vit' });
    expect(result.models.map(({ name }) => name)).toEqual(['vit']);
    expect(await keysOf(store.url)).toContain(`other/objects/${other.digest}/artifact.json`);
  });

  it('writes artifact.json back when what comes next fails, and says when it cannot', async () => {
    const before = await keysOf(store.url);
    const broken = OptimiseModelError.of('http-unreachable', { url: 'x', reason: 'it broke', attempts: 1 });
    const failing = (mayRestore: boolean): StoreHooks => {
      let isBroken = false;
      return {
        remove: async (go) => {
          await go();
          isBroken = true;
        },
        read: async (go) => {
          if (isBroken) throw broken;
          return go();
        },
        write: async (go) => {
          if (isBroken && !mayRestore) throw new Error('not allowed');
          return go();
        },
      };
    };
    expect(await catchError(() => prune(store.url, {}, failing(true)))).toBe(broken);
    expect(await keysOf(store.url)).toEqual(before);
    const error = await catchError(() => prune(store.url, {}, failing(false)));
    expect(error).toMatchObject({ code: 'prune-not-restored', exitCode: 3 });
    expect(error.message).toContain(`vit/objects/${unused.digest}/artifact.json`);
  });
});

/**
 * Whoever publishes writes the release (1) and then looks for artifact.json (2); whoever prunes removes artifact.json (a)
 * and then lists the releases (b). Every order of the four is played, and with it when the one puts artifact.json back (r)
 * and the other takes its release away (w).
 */
describeEachStore('pruning what is being published', (store) => {
  it.each([
    ['1 2 a b', 'published', 'kept'],
    ['1 a b r 2', 'published', 'kept'],
    ['1 a b 2 r w', 'publish-not-staged', 'kept'],
    ['1 a 2 b r w', 'publish-not-staged', 'kept'],
    ['1 a 2 w b', 'publish-not-staged', 'removed'],
    ['a 1 2 b r w', 'publish-not-staged', 'kept'],
    ['a 1 2 w b', 'publish-not-staged', 'removed'],
    ['a 1 b r 2', 'published', 'kept'],
    ['a 1 b 2 r w', 'publish-not-staged', 'kept'],
    ['a b 1 2', 'publish-not-staged', 'removed'],
  ])('never leaves a release without its artifact: %s', async (order, published, pruned) => {
    const record = await stageOne(store.url, 1);
    const [recordKey] = folderOf(record);
    const steps = makeSteps(order.split(' '));
    const publisher = await openPlace(store.url, {
      write: (go, key) => (key.startsWith('vit/releases/') ? steps.takeFirst('1', go) : go()),
      head: (go, key) => (key === recordKey ? steps.take('2', go) : go()),
      remove: (go) => steps.take('w', go),
    });
    let lists = 0;
    let writes = 0;
    const pruning: StoreHooks = {
      remove: (go, key) => (key === recordKey ? steps.takeFirst('a', go) : go()),
      write: (go) => {
        writes += 1;
        // The first one only claims the folder.
        return writes === 1 ? go() : steps.take('r', go);
      },
      list: (go, prefix) => {
        if (prefix === 'vit/releases/') lists += 1;
        // The first time is the look before anything is removed.
        return prefix === 'vit/releases/' && lists === 2 ? steps.take('b', go) : go();
      },
    };
    const outcomes = await Promise.all([
      publishInto(publisher, contentOf(record, minutesLater(0)), quietContext()).then(
        () => 'published',
        (error: OptimiseModelError) => error.code,
      ),
      prune(store.url, {}, pruning).then(({ models }) => models[0]?.folders[0]?.outcome),
    ]);
    expect(outcomes).toEqual([published, pruned]);
    const keys = await keysOf(store.url);
    const left = keys.filter((key) => !key.includes('/objects/'));
    expect(left).toHaveLength(published === 'published' ? 2 : 0);
    expect(keys.filter((key) => key.includes('/objects/'))).toEqual(
      pruned === 'kept' ? folderOf(record) : [],
    );
  });
});

/** Lets named steps of two pieces of work happen in one order only. */
function makeSteps(order: readonly string[]) {
  let at = 0;
  let arrived = 0;
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    const all = waiting;
    waiting = [];
    for (const go of all) go();
  };
  const take = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    // A step that the order does not name goes on at once.
    while (order.includes(name, at) && (arrived < 2 || order[at] !== name)) {
      await new Promise<void>((settle) => waiting.push(settle));
    }
    try {
      return await work();
    } finally {
      if (order[at] === name) at += 1;
      wake();
    }
  };
  return {
    take,
    /** Both have looked at the store before the first step of either. */
    takeFirst: <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
      arrived += 1;
      wake();
      return take(name, work);
    },
  };
}

describeEachStore('pruning what is being staged', (store) => {
  it('keeps a folder that a file was sent into since', async () => {
    const record = await stageOne(store.url, 1);
    const [recordKey = '', fileKey = ''] = folderOf(record);
    const result = await prune(
      store.url,
      {},
      {
        remove: async (go, key) => {
          await go();
          if (key === recordKey) await putObject(store.url, `${fileKey}.data`, 'new');
        },
      },
    );
    expect(result.models[0]?.folders).toMatchObject([
      { outcome: 'kept', reason: 'it is being staged again' },
    ]);
    expect(result.findings).toMatchObject([{ code: 'prune-put-back', severity: 'info' }]);
    expect(await keysOf(store.url)).toEqual([recordKey, fileKey, `${fileKey}.data`]);
  });

  it('leaves no artifact.json without files, and says so', async () => {
    const record = await stageOne(store.url, 1);
    const [recordKey = '', fileKey = ''] = folderOf(record);
    const result = await prune(
      store.url,
      {},
      {
        remove: async (go, key) => {
          await go();
          if (key === fileKey) await putObject(store.url, recordKey, '{}');
        },
      },
    );
    expect(result.findings).toMatchObject([{ code: 'prune-staged-again', severity: 'warning' }]);
    expect(result.findings[0]?.remedy).toContain(`--to ${store.url} --name vit`);
    expect(await keysOf(store.url)).toEqual([]);
  });
});

describeEachStore('pruning what is being promoted', (store) => {
  it('puts a release document back that became current while it was removed', async () => {
    const record = await stageOne(store.url, 1);
    const old = await publish(store.url, record, 0);
    await publish(store.url, record, 1);
    const promotion = { storeUrl: store.url, name: 'vit', release: old, settings: defaultObjectSettings };
    const result = await prune(
      store.url,
      { keep: 1 },
      {
        remove: async (go, key) => {
          // The promoter has verified the release already, and looks for it only after the move.
          if (key.startsWith('vit/releases/')) await promoteRelease({ ...promotion, now: minutesLater(2) });
          await go();
        },
      },
    );
    expect(result.models[0]?.releases).toEqual([
      { release: old, outcome: 'kept', reason: 'it is current now' },
    ]);
    expect(await keysOf(store.url)).toContain(`vit/releases/${old}.json`);
  });
});

describeS3('pruning beside multipart uploads', (store) => {
  it('spares a folder that an upload runs into, and removes an upload that nobody will complete', async () => {
    const record = await stageOne(store.url, 1);
    const [, bucket = ''] = /^s3:\/\/([^/]+)/.exec(store.url) ?? [];
    const client = new S3Client({ endpoint: process.env.AWS_ENDPOINT_URL_S3 ?? '', forcePathStyle: true });
    const Key = `models/vit/objects/${record.digest}/model.onnx.data`;
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key }));
    const { store: open } = await openPlace(store.url);
    const how = { keep: null, name: null, settings: defaultObjectSettings, isDryRun: false };
    // Objects are old enough by a grace of nothing; the upload has just begun by any clock that lags a second.
    const young = { ...how, graceMs: 1, now: new Date(Date.now() + day) };
    const sparing = await pruneStore(
      {
        ...open,
        sweepUploads: (prefix, options, signal) =>
          open.sweepUploads(prefix, { ...options, graceMs: day }, signal),
      },
      young,
      quietContext(),
    );
    expect(sparing).toMatchObject({ abandoned: [], models: [{ folders: [], spared: { folders: 1 } }] });
    const dry = await prune(store.url, { isDryRun: true, graceMs: -day });
    expect(dry.abandoned).toMatchObject([{ uploadId: UploadId, reason: 'old', refusal: null }]);
    const swept = await prune(store.url, { graceMs: -day });
    expect(swept.abandoned).toEqual(dry.abandoned);
    expect(swept.models[0]?.folders).toMatchObject([{ outcome: 'removed' }]);
    expect(await keysOf(store.url)).toEqual([]);
  });
});

it('refuses to prune a folder that does not exist, and not one that is empty', async () => {
  const folder = await temporaryFolder();
  expect(await prune(folder)).toMatchObject({ models: [], objects: 0 });
  const error = await catchError(() => prune(join(folder, 'nope')));
  expect(error).toMatchObject({ code: 'name-not-there', exitCode: 2, facts: { name: null } });
  expect(error.message).toContain('nope does not exist');
});
