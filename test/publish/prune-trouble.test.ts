import { expect, it } from 'vitest';
import { defaultObjectSettings } from '../../src/lib/object-settings.js';
import { quietContext } from '../../src/lib/work-context.js';
import { OptimiseModelError } from '../../src/messages/error.js';
import { pruneStore } from '../../src/publish/prune/prune-releases.js';
import { publishInto } from '../../src/publish/publish-release.js';
import type { ArtifactRecord } from '../../src/store/artifact-record.js';
import { catchError } from '../fixtures/catch-error.js';
import { describeEachStore } from './each-store.js';
import { contentOf, minutesLater, openPlace, stageOne } from './open-place.js';
import { day, folderOf, prune } from './prune-store.js';
import { keysOf, putObject } from './raw-store.js';

const noConditions = {
  ...{ endpoint: 'x', bucket: 'b', key: 'k', operation: 'PutObject', reason: 'not implemented' },
  ...{ status: 501, awsCode: 'NotImplemented' },
};

describeEachStore('pruning beside another prune, and in trouble', (store) => {
  it.each(['before', 'after'])(
    'leaves the artifact.json that another prune has put back for a release, when it listed %s that removed it',
    async (when) => {
      const record = await stageOne(store.url, 1);
      const [recordKey = ''] = folderOf(record);
      const hasListed = makeGate();
      const hasRemoved = makeGate();
      const mayLook = makeGate();
      const hasFoundNone = makeGate();
      const mayGoOn = makeGate();
      let lists = 0;
      const startSecond = () =>
        prune(
          store.url,
          {},
          {
            read: async (read, key) => {
              if (key !== recordKey) return read();
              hasListed.open();
              await hasRemoved.isOpen;
              const found = await read().catch((error: unknown) => error);
              hasFoundNone.open();
              await mayGoOn.isOpen;
              if (found instanceof Error) throw found;
              return found as Awaited<ReturnType<typeof read>>;
            },
            list: async (list, prefix) => {
              if (prefix === 'vit/releases/') lists += 1;
              // The second time is the look at what is used.
              if (when === 'before' || prefix !== 'vit/releases/' || lists !== 2) return list();
              hasFoundNone.open();
              await mayGoOn.isOpen;
              return list();
            },
          },
        );
      let second = when === 'before' ? startSecond() : undefined;
      if (when === 'before') await hasListed.isOpen;
      const first = prune(
        store.url,
        {},
        {
          remove: async (remove, key) => {
            await remove();
            if (key !== recordKey) return;
            hasRemoved.open();
            await mayLook.isOpen;
          },
        },
      );
      await hasRemoved.isOpen;
      second ??= startSecond();
      await hasFoundNone.isOpen;
      let isWritten = false;
      const place = await openPlace(store.url, {
        // It has verified the artifact before.
        read: async (read, key) => (key === recordKey ? { bytes: printed(record), etag: '' } : read()),
        write: async (go, key) => {
          const written = await go();
          if (!key.includes('/releases/') || isWritten) return written;
          isWritten = true;
          mayLook.open();
          await first;
          return written;
        },
      });
      const { release } = await publishInto(place, contentOf(record, minutesLater(0)), quietContext());
      mayGoOn.open();
      const outcomes = [await first, await second].map((result) => result.models[0]?.folders[0]?.outcome);
      expect(outcomes).toEqual(['kept', 'kept']);
      expect(await keysOf(store.url)).toEqual([
        ...['vit/current.json', ...folderOf(record), `vit/releases/${release}.json`],
      ]);
    },
    10_000,
  );

  it('never lets two prunes remove a folder of which one sees a release', async () => {
    const record = await stageOne(store.url, 1);
    const [recordKey = ''] = folderOf(record);
    const hasLooked = makeGate();
    const mayRemove = makeGate();
    const hasRead = makeGate();
    const mayGoOn = makeGate();
    // Both know artifact.json before either removes it.
    const second = prune(
      store.url,
      {},
      {
        read: async (read, its) => {
          const found = await read();
          if (its !== recordKey) return found;
          hasRead.open();
          await mayGoOn.isOpen;
          return found;
        },
      },
    );
    await hasRead.isOpen;
    const first = prune(
      store.url,
      {},
      {
        // It has seen no release, and will remove the files.
        remove: async (remove, its) => {
          if (its.endsWith('.onnx')) {
            hasLooked.open();
            await mayRemove.isOpen;
          }
          await remove();
        },
      },
    );
    await hasLooked.isOpen;
    let isWritten = false;
    const place = await openPlace(store.url, {
      read: async (read, key) => (key === recordKey ? { bytes: printed(record), etag: '' } : read()),
      write: async (go, key) => {
        const written = await go();
        if (!key.includes('/releases/') || isWritten) return written;
        isWritten = true;
        mayGoOn.open();
        await second;
        return written;
      },
    });
    const work = () => publishInto(place, contentOf(record, minutesLater(0)), quietContext());
    expect((await catchError(work)).code).toBe('publish-not-staged');
    mayRemove.open();
    expect((await first).models[0]?.folders[0]?.outcome).toBe('removed');
    expect((await second).models[0]?.folders[0]?.outcome).toBe('kept');
    expect(await keysOf(store.url)).toEqual([]);
  });

  it.each(['before', 'while'])(
    'keeps a folder whose artifact.json is written again %s it is claimed',
    async (when) => {
      const record = await stageOne(store.url, 1);
      const [recordKey = ''] = folderOf(record);
      const again = () => putObject(store.url, recordKey, `${printed(record)}\n`);
      const result = await prune(
        store.url,
        {},
        {
          read: async (read, key) => {
            if (key === recordKey && when === 'before') await again();
            return read();
          },
          write: async (go, key) => {
            if (key === recordKey) await again();
            return go();
          },
        },
      );
      expect(result).toMatchObject({ models: [{ folders: [{ outcome: 'kept' }] }], findings: [] });
      expect(await keysOf(store.url)).toEqual(folderOf(record));
    },
  );

  it('keeps a folder when it cannot be seen any more which uploads run', async () => {
    await stageOne(store.url, 1);
    const before = await keysOf(store.url);
    const { store: open } = await openPlace(store.url);
    let looks = 0;
    const blind: typeof open = {
      ...open,
      sweepUploads: async () => {
        looks += 1;
        return { abandoned: [], runningKeys: [], listRefusal: looks === 1 ? null : 'HTTP 503' };
      },
    };
    const how = { keep: null, graceMs: day, isDryRun: false, name: null, settings: defaultObjectSettings };
    const result = await pruneStore(blind, { ...how, now: new Date(Date.now() + 2 * day) }, quietContext());
    expect(result.models[0]?.folders).toMatchObject([
      { outcome: 'kept', reason: 'which uploads into it run cannot be seen: HTTP 503' },
    ]);
    expect(await keysOf(store.url)).toEqual(before);
  });

  it('puts artifact.json back on a server that takes no conditions', async () => {
    await stageOne(store.url, 1);
    const before = await keysOf(store.url);
    const { store: open } = await openPlace(store.url);
    let isRemoved = false;
    const plain: typeof open = {
      ...open,
      remove: async (key, signal) => {
        await open.remove(key, signal);
        isRemoved = true;
      },
      sweepUploads: async (prefix, options, signal) => ({
        ...(await open.sweepUploads(prefix, options, signal)),
        listRefusal: isRemoved ? 'HTTP 503' : null,
      }),
      write: async (key, bytes, condition, signal) => {
        if (condition !== undefined) throw OptimiseModelError.of('s3-not-supported', noConditions);
        return open.write(key, bytes, undefined, signal);
      },
    };
    const how = { keep: null, graceMs: day, isDryRun: false, name: null, settings: defaultObjectSettings };
    const result = await pruneStore(plain, { ...how, now: new Date(Date.now() + 2 * day) }, quietContext());
    expect(result.findings).toMatchObject([{ code: 'prune-put-back' }]);
    expect(await keysOf(store.url)).toEqual(before);
  });

  it('says which files it could not remove, and takes them the next time', async () => {
    const record = await stageOne(store.url, 1);
    const [, fileKey = ''] = folderOf(record);
    const result = await prune(
      store.url,
      {},
      {
        remove: async (go, key) => {
          if (key === fileKey) throw new Error('not allowed.');
          await go();
        },
      },
    );
    expect(result).toMatchObject({
      models: [{ folders: [{ outcome: 'kept', reason: expect.stringContaining('not all files') }] }],
      findings: [{ code: 'prune-left', severity: 'warning', facts: { left: [`${fileKey} (not allowed)`] } }],
    });
    expect(await keysOf(store.url)).toEqual([fileKey]);
    expect(await prune(store.url)).toMatchObject({ objects: 1, findings: [] });
    expect(await keysOf(store.url)).toEqual([]);
  });
});

function printed(record: ArtifactRecord): Buffer {
  return Buffer.from(JSON.stringify(record));
}

function makeGate(): { readonly isOpen: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const isOpen = new Promise<void>((settle) => {
    open = settle;
  });
  return { isOpen, open: () => open() };
}
