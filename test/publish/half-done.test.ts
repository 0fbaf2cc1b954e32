import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WorkContext } from '../../src/lib/work-context.js';
import { asOptimiseModelError } from '../../src/messages/as-error.js';
import { OptimiseModelError } from '../../src/messages/error.js';
import { publishInto } from '../../src/publish/publish-release.js';
import { readCurrent } from '../../src/publish/read-current.js';
import { catchError } from '../fixtures/catch-error.js';
import { makeBucket } from '../services/bucket.js';
import type { FaultRule } from '../services/fault.js';
import { type FaultProxy, startFaultProxy } from '../services/fault-proxy.js';
import { requireS3, startS3IfFound, useS3 } from '../services/require-s3.js';
import type { RunningS3 } from '../services/versitygw.mjs';
import { describeEachStore } from './each-store.js';
import { contentOf, minutesLater, openPlace, type StoreHooks, stageOne } from './open-place.js';
import { keysOf } from './raw-store.js';

const broken = OptimiseModelError.of('http-unreachable', { url: 'x', reason: 'it broke', attempts: 1 });

function contextOf(controller: AbortController): WorkContext {
  return { signal: controller.signal, progress: () => undefined };
}

async function documentsIn(url: string): Promise<readonly string[]> {
  return (await keysOf(url)).filter((key) => !key.includes('/objects/'));
}

type Boundary = readonly [string, (stop: () => void) => StoreHooks];

/** Every step between the release document and `current.json`, on the way to the store and back. */
const boundaries: readonly Boundary[] = [
  [
    'after the release document was written',
    (stop) => ({
      write: async (go, key) => {
        const written = await go();
        if (key.includes('/releases/')) stop();
        return written;
      },
    }),
  ],
  [
    'while artifact.json is looked for again',
    (stop) => ({
      head: async (go, key) => {
        if (key.endsWith('artifact.json')) stop();
        return go();
      },
    }),
  ],
  [
    'when it was found',
    (stop) => ({
      head: async (go, key) => {
        const found = await go();
        if (key.endsWith('artifact.json')) stop();
        return found;
      },
    }),
  ],
];

describeEachStore('a publisher that fails half-way', (store) => {
  it.each(boundaries)('leaves nothing when it is stopped %s', async (_when, hooks) => {
    const record = await stageOne(store.url, 1);
    const controller = new AbortController();
    const stop = () => controller.abort(OptimiseModelError.of('interrupted', { by: 'Ctrl-C' }));
    const place = await openPlace(store.url, hooks(stop));
    const work = () => publishInto(place, contentOf(record, minutesLater(0)), contextOf(controller));
    const error = await work().catch((thrown: unknown) => asOptimiseModelError(thrown));
    expect(error).toMatchObject({ code: 'interrupted', exitCode: 130 });
    expect(await documentsIn(store.url)).toEqual([]);
  });

  it.each(boundaries)('leaves nothing when the store breaks %s', async (_when, hooks) => {
    const record = await stageOne(store.url, 1);
    const fail = () => {
      throw broken;
    };
    const place = await openPlace(store.url, hooks(fail));
    const work = () =>
      publishInto(place, contentOf(record, minutesLater(0)), contextOf(new AbortController()));
    expect((await catchError(work)).code).toBe('http-unreachable');
    expect(await documentsIn(store.url)).toEqual([]);
  });

  it('has published when it is stopped while current.json moves', async () => {
    const record = await stageOne(store.url, 1);
    const controller = new AbortController();
    const place = await openPlace(store.url, {
      write: async (go, key) => {
        if (key.endsWith('current.json')) controller.abort(broken);
        return go();
      },
    });
    const { release } = await publishInto(place, contentOf(record, minutesLater(0)), contextOf(controller));
    expect(await documentsIn(store.url)).toEqual(['vit/current.json', `vit/releases/${release}.json`]);
  });

  it('names the release document that it was not allowed to remove', async () => {
    const record = await stageOne(store.url, 1);
    const place = await openPlace(store.url, {
      head: async (go, key) => {
        if (key.endsWith('artifact.json')) throw broken;
        return go();
      },
      remove: async () => {
        throw new Error('not allowed');
      },
    });
    const work = () =>
      publishInto(place, contentOf(record, minutesLater(0)), contextOf(new AbortController()));
    const error = await catchError(work);
    const [key] = await documentsIn(store.url);
    expect(error).toMatchObject({ code: 'publish-left', exitCode: 3, cause: broken });
    expect(error.message).toContain(String(key));
    expect(error.message).toContain('not allowed');
    expect(error.message).toContain('it broke');
  });

  it('removes no document of somebody else', async () => {
    const record = await stageOne(store.url, 1);
    const content = contentOf(record, minutesLater(0));
    const quiet = contextOf(new AbortController());
    const { release } = await publishInto(await openPlace(store.url), content, quiet);
    const other = { ...content, reason: 'another' };
    expect(await catchError(async () => publishInto(await openPlace(store.url), other, quiet))).toMatchObject(
      {
        code: 'publish-conflict',
        facts: { release, current: release },
      },
    );
    expect(await documentsIn(store.url)).toHaveLength(2);
  });

  it.each([true, false])('looks up a move that was not answered: it was made: %s', async (isMade) => {
    const record = await stageOne(store.url, 1);
    const place = await openPlace(store.url, {
      write: async (go, key) => {
        if (!key.endsWith('current.json')) return go();
        if (isMade) await go();
        throw broken;
      },
    });
    const work = publishInto(place, contentOf(record, minutesLater(0)), contextOf(new AbortController()));
    if (isMade) {
      const { release } = await work;
      expect((await readCurrent(place, AbortSignal.timeout(9_000)))?.record.release).toBe(release);
    } else {
      await expect(work).rejects.toBe(broken);
      expect(await documentsIn(store.url)).toEqual([]);
    }
  });

  it.each([true, false])('leaves the release when it cannot be known: it was made: %s', async (isMade) => {
    const record = await stageOne(store.url, 1);
    let isDown = false;
    const place = await openPlace(store.url, {
      write: async (go, key) => {
        if (!key.endsWith('current.json')) return go();
        if (isMade) await go();
        isDown = true;
        throw broken;
      },
      read: async (go) => {
        if (isDown) throw broken;
        return go();
      },
    });
    const work = () =>
      publishInto(place, contentOf(record, minutesLater(0)), contextOf(new AbortController()));
    const error = await catchError(work);
    expect(error).toMatchObject({ code: 'publish-unknown', exitCode: 3 });
    expect(error.remedy).toContain(`optimise-model releases list ${store.url} --name vit`);
    expect(await documentsIn(store.url)).toHaveLength(isMade ? 2 : 1);
  });

  it('puts the release back when a move that was given up arrives after all', async () => {
    const record = await stageOne(store.url, 1);
    let arrive = async (): Promise<unknown> => undefined;
    const place = await openPlace(store.url, {
      write: async (go, key) => {
        if (!key.endsWith('current.json')) return go();
        arrive = go;
        throw broken;
      },
      remove: async (go) => {
        await go();
        await arrive();
      },
    });
    const { release } = await publishInto(
      place,
      contentOf(record, minutesLater(0)),
      contextOf(new AbortController()),
    );
    expect(await documentsIn(store.url)).toEqual(['vit/current.json', `vit/releases/${release}.json`]);
  });
});

describe('publishing over a connection that breaks, to a real S3 server', () => {
  let running: RunningS3 | undefined;
  let proxy: FaultProxy;
  let storeUrl: string;
  let bucket: string;
  beforeAll(async () => {
    running = await startS3IfFound();
    if (running !== undefined) proxy = await startFaultProxy(running);
  });
  afterAll(async () => {
    await proxy?.stop();
    await running?.stop();
  });
  beforeEach(async (context) => {
    const s3 = await requireS3(context, running);
    useS3({ ...s3, endpoint: proxy.endpoint });
    bucket = (await makeBucket(s3)).name;
    storeUrl = `s3://${bucket}/models`;
  });

  const faults: readonly (readonly [string, FaultRule, 'published' | 'nothing'])[] = [
    ...(['release', 'current'] as const).flatMap((document) => {
      const key = document === 'release' ? /releases/ : /current/;
      const lost = { call: 'put-document', key, times: 1, fault: { kind: 'lose-answer' } } as const;
      const before = { ...lost, fault: { kind: 'reset-before' } } as const;
      const always = { ...before, times: Number.POSITIVE_INFINITY } as const;
      return [
        [`the answer to the ${document} gets lost`, lost, 'published'],
        [`the ${document} does not arrive at first`, before, 'published'],
        [`the ${document} never arrives`, always, 'nothing'],
      ] as const;
    }),
    [
      'no answer to the move ever arrives',
      {
        call: 'put-document',
        key: /current/,
        times: Number.POSITIVE_INFINITY,
        fault: { kind: 'lose-answer' },
      },
      'published',
    ],
    [
      'the move is forbidden',
      {
        ...{ call: 'put-document', key: /current/, times: Number.POSITIVE_INFINITY },
        fault: { kind: 'refuse', status: 403, code: 'AccessDenied' },
      },
      'nothing',
    ],
  ];

  it.each(faults)('when %s', async (_what, rule, outcome) => {
    const record = await stageOne(storeUrl, 1);
    proxy.play(bucket, { rules: [rule] });
    const place = await openPlace(storeUrl);
    const work = publishInto(place, contentOf(record, minutesLater(0)), contextOf(new AbortController()));
    const ended = await work.then(
      ({ release }) => release,
      (error: unknown) => error,
    );
    proxy.play(bucket, {});
    if (outcome === 'nothing') {
      expect(ended).toBeInstanceOf(OptimiseModelError);
      expect(await documentsIn(storeUrl)).toEqual([]);
    } else {
      expect(await documentsIn(storeUrl)).toEqual(['vit/current.json', `vit/releases/${String(ended)}.json`]);
    }
  });
});
