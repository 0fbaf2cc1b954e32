import { expect, it } from 'vitest';
import { quietContext } from '../../src/lib/work-context.js';
import { promoteAt } from '../../src/publish/promote-release.js';
import { publishInto } from '../../src/publish/publish-release.js';
import { readCurrent } from '../../src/publish/read-current.js';
import { catchError } from '../fixtures/catch-error.js';
import { describeEachStore } from './each-store.js';
import { contentOf, minutesLater, openPlace, stageOne } from './open-place.js';
import { keysOf } from './raw-store.js';

const context = quietContext();
const { signal } = context;

async function releasesIn(url: string): Promise<readonly string[]> {
  return (await keysOf(url)).filter((key) => key.startsWith('vit/releases/'));
}

/** Lets nobody through before all are there. */
function makeGate(count: number): () => Promise<void> {
  let waiting = 0;
  let open = (): void => undefined;
  const isOpen = new Promise<void>((settle) => {
    open = settle;
  });
  return async () => {
    waiting += 1;
    if (waiting === count) open();
    await isOpen;
  };
}

describeEachStore('two who publish at the same time', (store) => {
  it('when the other one is first: ours is told who is current, and leaves nothing', async () => {
    const record = await stageOne(store.url, 1);
    let other = '';
    const place = await openPlace(store.url, {
      write: async (go, key) => {
        if (key === 'vit/current.json' && other === '') {
          const rival = await openPlace(store.url);
          other = (await publishInto(rival, contentOf(record, minutesLater(1)), context)).release;
        }
        return go();
      },
    });
    const error = await catchError(() => publishInto(place, contentOf(record, minutesLater(0)), context));
    expect(error).toMatchObject({
      code: 'publish-conflict',
      exitCode: 3,
      facts: { current: other, name: 'vit' },
      message: expect.stringContaining(`current is ${other}`),
    });
    expect(await releasesIn(store.url)).toEqual([`vit/releases/${other}.json`]);
    expect((await readCurrent(place, signal))?.record.release).toBe(other);
  });

  it('when ours is first: the other one is told, and leaves nothing', async () => {
    const record = await stageOne(store.url, 1);
    let isOver = false;
    let outcome: Promise<unknown> = Promise.resolve();
    const place = await openPlace(store.url, {
      write: async (go, key) => {
        if (key !== 'vit/current.json' || isOver) return go();
        isOver = true;
        // The rival has read what is current, and waits before it moves it.
        let begun = (): void => undefined;
        let release = (): void => undefined;
        const isWaiting = new Promise<void>((settle) => {
          begun = settle;
        });
        const mayGo = new Promise<void>((settle) => {
          release = settle;
        });
        const rival = await openPlace(store.url, {
          write: async (write, its) => {
            if (its === 'vit/current.json') {
              begun();
              await mayGo;
            }
            return write();
          },
        });
        outcome = publishInto(rival, contentOf(record, minutesLater(1)), context).catch((error) => error);
        await isWaiting;
        const written = await go();
        release();
        return written;
      },
    });
    const { release } = await publishInto(place, contentOf(record, minutesLater(0)), context);
    expect(await outcome).toMatchObject({ code: 'publish-conflict', facts: { current: release } });
    expect(await releasesIn(store.url)).toEqual([`vit/releases/${release}.json`]);
  });

  it('exactly one of ten wins, round after round, and no loser leaves a release', async () => {
    const record = await stageOne(store.url, 1);
    const kept: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const gate = makeGate(10);
      const ended = await Promise.allSettled(
        Array.from({ length: 10 }, async (_, index) => {
          // Each has verified and written its release before the first one moves current.json.
          const place = await openPlace(store.url, {
            write: async (go, key) => {
              if (key === 'vit/current.json') await gate();
              return go();
            },
          });
          return publishInto(place, contentOf(record, minutesLater(round * 10 + index)), quietContext());
        }),
      );
      const won = ended.flatMap((end) => (end.status === 'fulfilled' ? [end.value.release] : []));
      const lost = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason.code] : []));
      expect(won).toHaveLength(1);
      expect(lost).toEqual(Array.from({ length: 9 }, () => 'publish-conflict'));
      kept.push(...won.map((release) => `vit/releases/${release}.json`));
      expect(await releasesIn(store.url)).toEqual(kept);
      const current = await readCurrent(await openPlace(store.url), signal);
      expect(current?.record.release).toBe(won[0]);
    }
  });

  it('promotes a release only while current.json is what it was', async () => {
    const record = await stageOne(store.url, 1);
    const place = await openPlace(store.url);
    const first = await publishInto(place, contentOf(record, minutesLater(0)), context);
    const second = await publishInto(place, contentOf(record, minutesLater(1)), context);
    const from = await readCurrent(place, signal);
    const third = await publishInto(place, contentOf(record, minutesLater(2)), context);
    const promotion = { release: first.release, from, now: minutesLater(3) };
    await expect(promoteAt(place, promotion, context)).rejects.toMatchObject({
      code: 'publish-conflict',
      facts: { current: third.release },
    });
    expect(await releasesIn(store.url)).toHaveLength(3);
    expect(from?.record.release).toBe(second.release);
  });
});
