import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defaultObjectSettings } from '../../src/lib/object-settings.js';
import { quietContext } from '../../src/lib/work-context.js';
import { promoteRelease } from '../../src/publish/promote-release.js';
import { publishInto, publishRelease } from '../../src/publish/publish-release.js';
import { catchError } from '../fixtures/catch-error.js';
import { makeBucket } from '../services/bucket.js';
import { startFaultProxy } from '../services/fault-proxy.js';
import { requireS3, startS3IfFound, useS3 } from '../services/require-s3.js';
import type { RunningS3 } from '../services/versitygw.mjs';
import { contentOf, minutesLater, openPlace, stageOne } from './open-place.js';
import { keysOf } from './raw-store.js';
import { type Habit, startUnconditional } from './unconditional-server.js';

let running: RunningS3 | undefined;
let s3: RunningS3;
let storeUrl: string;
let bucket: string;

beforeAll(async () => {
  running = await startS3IfFound();
});
afterAll(() => running?.stop());
beforeEach(async (context) => {
  s3 = await requireS3(context, running);
  useS3(s3);
  bucket = (await makeBucket(s3)).name;
  storeUrl = `s3://${bucket}/models`;
});

const unconditional = { ...defaultObjectSettings, conditionalWrites: false };

async function releases(): Promise<readonly string[]> {
  return (await keysOf(storeUrl)).filter((key) => !key.startsWith('vit/objects/'));
}

async function behind(habit: Habit, unknown?: readonly string[]): Promise<string> {
  const endpoint = await startUnconditional(s3, habit, unknown);
  useS3({ ...s3, endpoint });
  return endpoint;
}

const notImplemented = {
  status: 501,
  code: 'NotImplemented',
  message: 'A header you provided is not implemented',
};
const habits: readonly (readonly [string, Habit, readonly string[], string])[] = [
  ['answers 501', notImplemented, ['if-match', 'if-none-match'], 's3-conditions-refused'],
  [
    'answers 400',
    { status: 400, code: 'InvalidArgument', message: 'Unsupported header if-none-match' },
    ['if-match', 'if-none-match'],
    's3-conditions-refused',
  ],
  ['ignores both conditions', 'ignores', ['if-match', 'if-none-match'], 's3-conditions-ignored'],
  ['ignores If-None-Match', 'ignores', ['if-none-match'], 's3-conditions-ignored'],
  ['ignores If-Match', 'ignores', ['if-match'], 's3-conditions-ignored'],
];

describe('publishing to a server that heeds conditions', () => {
  it('takes A × (F + 2) + 6 requests', async () => {
    const record = await stageOne(storeUrl, 1);
    const proxy = await startFaultProxy(s3);
    try {
      useS3({ ...s3, endpoint: proxy.endpoint });
      const { calls } = proxy.play(bucket, {});
      await publishRelease({ ...contentOf(record, minutesLater(0)), storeUrl });
      expect(calls.map(({ name, key }) => `${name} ${key.replace(/[0-9a-f]{64}|[^/]*Z-.*/, '…')}`)).toEqual([
        'head models/vit/objects/…/model.onnx',
        'get models/vit/objects/…/artifact.json',
        'get models/vit/current.json',
        'put-document models/vit/releases/…',
        'put-document models/vit/releases/…',
        'put-document models/vit/releases/…',
        'head models/vit/objects/…/artifact.json',
        'put-document models/vit/current.json',
        'head models/vit/releases/…',
      ]);
      expect(calls).toHaveLength(1 * (1 + 2) + 6);
    } finally {
      await proxy.stop();
    }
  });
});

describe.each(habits)('publishing to a server that %s', (_what, habit, unknown, code) => {
  it('is refused before anything is lost, with the setting to change', async () => {
    const record = await stageOne(storeUrl, 1);
    const endpoint = await behind(habit, unknown);
    const error = await catchError(() => publishRelease({ ...contentOf(record, minutesLater(0)), storeUrl }));
    expect(error).toMatchObject({ code, exitCode: 3, facts: { endpoint, bucket } });
    expect(error.message).toContain(endpoint);
    expect(error.remedy).toContain('--unconditional');
    expect(error.remedy).toContain('publish: { unconditional: true }');
    expect(await releases()).toEqual([]);
  });

  it('leaves what is current as it is', async () => {
    const record = await stageOne(storeUrl, 1);
    const first = await publishRelease({ ...contentOf(record, minutesLater(0)), storeUrl });
    const before = await releases();
    await behind(habit, unknown);
    const again = { ...contentOf(record, minutesLater(1)), storeUrl };
    expect((await catchError(() => publishRelease(again))).code).toBe(code);
    expect(await releases()).toEqual(before);
    const place = await openPlace(storeUrl);
    const { bytes } = await place.store.read('vit/current.json');
    expect(JSON.parse(new TextDecoder().decode(bytes)).release).toBe(first.release);
  });

  it('works when it is told to, and says what that gives up', async () => {
    const record = await stageOne(storeUrl, 1);
    await behind(habit, unknown);
    const options = { ...contentOf(record, minutesLater(0)), storeUrl, settings: unconditional };
    const first = await publishRelease(options);
    const second = await publishRelease({ ...options, now: minutesLater(1) });
    expect(second).toMatchObject({
      previousRelease: first.release,
      findings: [{ severity: 'warning', code: 'writes-unconditional' }],
    });
    const moving = { storeUrl, name: 'vit', settings: unconditional, now: minutesLater(2) };
    expect(await promoteRelease({ ...moving, release: first.release })).toMatchObject({
      moved: true,
      previousRelease: second.release,
      findings: [{ code: 'writes-unconditional' }],
    });
    expect(await catchError(() => publishRelease(options))).toMatchObject({ code: 'publish-conflict' });
    expect(await releases()).toHaveLength(3);
  });
});

describe('promoting on a server that ignores If-Match', () => {
  it('is refused before current.json is written', async () => {
    const record = await stageOne(storeUrl, 1);
    const first = await publishRelease({ ...contentOf(record, minutesLater(0)), storeUrl });
    const second = await publishRelease({ ...contentOf(record, minutesLater(1)), storeUrl });
    await behind('ignores');
    const moving = { storeUrl, name: 'vit', settings: defaultObjectSettings, now: minutesLater(2) };
    const error = await catchError(() => promoteRelease({ ...moving, release: first.release }));
    expect(error.code).toBe('s3-conditions-ignored');
    const { bytes } = await (await openPlace(storeUrl)).store.read('vit/current.json');
    expect(JSON.parse(new TextDecoder().decode(bytes)).release).toBe(second.release);
  });
});

describe('a refusal that is not about conditions', () => {
  it.each([
    { status: 501, code: 'NotImplemented', message: 'x-amz-checksum-crc32 is not implemented' },
    { status: 400, code: 'InvalidStorageClass', message: 'no such class' },
  ])('is not blamed on them: $status $code', async (habit) => {
    const record = await stageOne(storeUrl, 1);
    await behind(habit);
    const error = await catchError(() => publishRelease({ ...contentOf(record, minutesLater(0)), storeUrl }));
    expect(error.code).toBe(habit.status === 501 ? 's3-checksums-refused' : 's3-failed');
  });
});

describe('writing without conditions', () => {
  it('finds who wrote in between, by reading back, and takes the own release away', async () => {
    const record = await stageOne(storeUrl, 1);
    const rival = contentOf(record, minutesLater(1));
    let isOver = false;
    const place = await openPlace(storeUrl, {
      write: async (go, key) => {
        const written = await go();
        if (key === 'vit/current.json' && !isOver) {
          isOver = true;
          await (await openPlace(storeUrl)).store.write(
            key,
            Buffer.from(
              JSON.stringify({
                ...{ schemaVersion: 1, kind: 'current', name: 'vit', release: 'r2' },
                ...{ releaseKey: 'releases/r2.json', updatedAt: rival.now.toISOString() },
              }),
            ),
            undefined,
          );
        }
        return written;
      },
    });
    const content = contentOf(record, minutesLater(0));
    const error = await catchError(() =>
      publishInto({ ...place, isConditional: false }, content, quietContext()),
    );
    expect(error).toMatchObject({ code: 'publish-conflict', facts: { current: 'r2' } });
    expect(await releases()).toEqual(['vit/current.json']);
  });
});
