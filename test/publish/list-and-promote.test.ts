import { expect, it } from 'vitest';
import { defaultObjectSettings } from '../../src/lib/object-settings.js';
import { quietContext } from '../../src/lib/work-context.js';
import { OptimiseModelError } from '../../src/messages/error.js';
import { listReleases } from '../../src/publish/list-releases.js';
import { promoteAt, promoteRelease, rollbackRelease } from '../../src/publish/promote-release.js';
import { publishInto } from '../../src/publish/publish-release.js';
import { readCurrent, readReplacedCurrent } from '../../src/publish/read-current.js';
import { catchError } from '../fixtures/catch-error.js';
import { describeEachStore } from './each-store.js';
import { contentOf, minutesLater, openPlace, stageOne } from './open-place.js';
import { keysOf, putObject, removeObject } from './raw-store.js';

const settings = defaultObjectSettings;
const now = minutesLater(60);

async function publish(url: string, minutes: number, seed = 1): Promise<string> {
  const record = await stageOne(url, seed);
  const content = contentOf(record, minutesLater(minutes));
  return (await publishInto(await openPlace(url), content, quietContext())).release;
}

async function currentIn(url: string): Promise<string | undefined> {
  return (await readCurrent(await openPlace(url), AbortSignal.timeout(9_000)))?.record.release;
}

function currentOf(release: string, previousReleases?: readonly string[]): string {
  const releaseKey = `releases/${release}.json`;
  const about = { schemaVersion: 1, kind: 'current', name: 'vit', release, releaseKey };
  return JSON.stringify({ ...about, updatedAt: now.toISOString(), previousReleases });
}

describeEachStore('releases list', (store) => {
  it('lists all models, newest release first, with what each needs', async () => {
    const first = await publish(store.url, 0);
    const second = await publish(store.url, 1, 2);
    await stageOne(store.url, 3, 'other');
    await putObject(store.url, 'notes/readme.txt', 'not ours');
    const { models, findings } = await listReleases({ storeUrl: store.url, name: null });
    expect(findings).toEqual([]);
    expect(models).toMatchObject([
      { name: 'other', current: null, releases: [], damaged: [] },
      {
        name: 'vit',
        current: second,
        releases: [
          { release: second, isCurrent: true, createdAt: minutesLater(1).toISOString() },
          {
            ...{ release: first, isCurrent: false, variantId: 'fp16-weights.external', delivery: 's3-copy' },
            ...{ artifacts: 1, sizeBytes: 3_000 },
            requires: { engine: 'onnxruntime', minimumVersion: '1.30.0', opset: 17 },
          },
        ],
      },
    ]);
  });

  it('names damaged documents and lists the others', async () => {
    const release = await publish(store.url, 0);
    await putObject(store.url, 'vit/releases/20260101T000000Z-aaaaaaaa.json', '{"kind":"release"');
    await putObject(store.url, 'vit/releases/20260102T000000Z-bbbbbbbb.json', '{"kind":"artifact"}');
    await putObject(store.url, 'vit/current.json', '[]');
    const { models, findings } = await listReleases({ storeUrl: store.url, name: 'vit' });
    expect(models[0]).toMatchObject({ current: null, releases: [{ release, isCurrent: false }] });
    expect(models[0]?.damaged.map(({ url }) => url.slice(url.indexOf('vit/')))).toEqual([
      'vit/current.json',
      'vit/releases/20260102T000000Z-bbbbbbbb.json',
      'vit/releases/20260101T000000Z-aaaaaaaa.json',
    ]);
    expect(findings.map(({ code }) => code)).toEqual(Array.from({ length: 3 }, () => 'release-damaged'));
    expect(findings[2]?.what).toContain('it is not JSON');
  });

  it('says that current.json names what is not there', async () => {
    const release = await publish(store.url, 0);
    await removeObject(store.url, `vit/releases/${release}.json`);
    const { models } = await listReleases({ storeUrl: store.url, name: 'vit' });
    expect(models[0]?.damaged[0]?.problem).toBe(`it names ${release}, whose document is not there`);
  });
});

describeEachStore('releases promote and rollback', (store) => {
  it('moves current.json to a release, and says so when it was there already', async () => {
    const first = await publish(store.url, 0);
    const second = await publish(store.url, 1);
    const options = { storeUrl: store.url, name: 'vit', release: first, settings, now };
    expect(await promoteRelease(options)).toMatchObject({
      ...{ name: 'vit', release: first, previousRelease: second, moved: true, findings: [] },
    });
    expect(await currentIn(store.url)).toBe(first);
    expect(await promoteRelease(options)).toMatchObject({ previousRelease: first, moved: false });
  });

  it('rolls back step by step, and says when there is nothing before', async () => {
    const [first, second, third] = [
      await publish(store.url, 0),
      await publish(store.url, 1),
      await publish(store.url, 2),
    ];
    const options = { storeUrl: store.url, name: 'vit', settings, now };
    expect(await rollbackRelease(options)).toMatchObject({ release: second, previousRelease: third });
    expect(await rollbackRelease(options)).toMatchObject({ release: first, previousRelease: second });
    const error = await catchError(() => rollbackRelease(options));
    expect(error).toMatchObject({ code: 'rollback-impossible', exitCode: 2, facts: { current: first } });
    expect(error.remedy).toContain(`optimise-model releases promote ${store.url} RELEASE --name vit`);
    expect(await currentIn(store.url)).toBe(first);
  });

  it('never rolls back to a release that never was current', async () => {
    const first = await publish(store.url, 0);
    const place = await openPlace(store.url);
    const record = await stageOne(store.url, 2);
    // Its publisher was killed between its two writes.
    const { release } = await publishInto(place, contentOf(record, minutesLater(1)), quietContext());
    await promoteRelease({ storeUrl: store.url, name: 'vit', release: first, settings, now });
    await putObject(store.url, 'vit/current.json', currentOf(first, []));
    const third = await publish(store.url, 2);
    expect(await keysOf(store.url)).toContain(`vit/releases/${release}.json`);
    const options = { storeUrl: store.url, name: 'vit', settings, now };
    expect(await rollbackRelease(options)).toMatchObject({ release: first, previousRelease: third });
    expect((await catchError(() => rollbackRelease(options))).message).toContain(
      'nothing was current before',
    );
  });

  it('rolls back a promotion to where it came from, and twice in a row never forth', async () => {
    const [first, second, third] = [
      await publish(store.url, 0),
      await publish(store.url, 1),
      await publish(store.url, 2),
    ];
    const options = { storeUrl: store.url, name: 'vit', settings, now };
    await promoteRelease({ ...options, release: first });
    expect(await rollbackRelease(options)).toMatchObject({ release: third });
    expect(await rollbackRelease(options)).toMatchObject({ release: second });
    const fourth = await publish(store.url, 3);
    expect(await rollbackRelease(options)).toMatchObject({ release: second, previousRelease: fourth });
    expect(await rollbackRelease(options)).toMatchObject({ release: first });
  });

  it('rolls back by age where current.json does not say what was before', async () => {
    const [first, second, third] = [
      await publish(store.url, 0),
      await publish(store.url, 1),
      await publish(store.url, 2),
    ];
    await putObject(store.url, 'vit/current.json', currentOf(third));
    const options = { storeUrl: store.url, name: 'vit', settings, now };
    expect(await rollbackRelease(options)).toMatchObject({ release: second });
    expect(await rollbackRelease(options)).toMatchObject({ release: first });
    expect((await catchError(() => rollbackRelease(options))).message).toContain('no release is older');
  });

  it('remembers the last twenty', async () => {
    const [first, second] = [await publish(store.url, 0), await publish(store.url, 1)];
    const options = { storeUrl: store.url, name: 'vit', settings, now };
    await putObject(
      store.url,
      'vit/current.json',
      currentOf(
        first,
        Array.from({ length: 20 }, (_, at) => `r${at}`),
      ),
    );
    await promoteRelease({ ...options, release: second });
    const current = await readCurrent(await openPlace(store.url), AbortSignal.timeout(9_000));
    expect(current?.record.previousReleases).toHaveLength(20);
    expect(current?.record.previousReleases?.slice(0, 2)).toEqual([first, 'r0']);
  });

  it('rolls back over damaged documents, and from a current release whose document is gone', async () => {
    const first = await publish(store.url, 0);
    const second = await publish(store.url, 1);
    const third = await publish(store.url, 2);
    await putObject(store.url, `vit/releases/${second}.json`, 'damaged');
    await removeObject(store.url, `vit/releases/${third}.json`);
    const options = { storeUrl: store.url, name: 'vit', settings, now };
    expect(await rollbackRelease(options)).toMatchObject({ release: first, previousRelease: third });
  });

  it('moves to nothing that is not intact', async () => {
    const first = await publish(store.url, 0, 1);
    const second = await publish(store.url, 1, 2);
    const file = (await keysOf(store.url)).filter((key) => key.endsWith('model.onnx'));
    const options = { storeUrl: store.url, name: 'vit', release: first, settings, now };
    for (const key of file) await putObject(store.url, key, 'x'.repeat(3_000));
    const problems = [expect.stringContaining('has another content')];
    expect(await catchError(() => promoteRelease(options))).toMatchObject({
      ...{ code: 'publish-not-staged', facts: { problems } },
    });
    expect(await catchError(() => rollbackRelease(options))).toMatchObject({ code: 'publish-not-staged' });
    expect(await currentIn(store.url)).toBe(second);
  });

  it.each(['20200101T000000Z-00000000', '../x', ''])(
    'names the releases that there are instead of "%s"',
    async (name) => {
      const release = await publish(store.url, 0);
      const options = { storeUrl: store.url, name: 'vit', release: name, settings, now };
      expect(await catchError(() => promoteRelease(options))).toMatchObject({
        ...{ code: 'release-missing', exitCode: 2, facts: { present: [release] } },
      });
    },
  );

  it('refuses a damaged release document by name', async () => {
    const release = await publish(store.url, 0);
    await putObject(store.url, 'vit/releases/r1.json', '{"kind":"release","schemaVersion":2}');
    const options = { storeUrl: store.url, name: 'vit', release: 'r1', settings, now };
    expect(await catchError(() => promoteRelease(options))).toMatchObject({
      ...{ code: 'record-wrong', facts: { where: expect.stringContaining('vit/releases/r1.json') } },
    });
    expect(await currentIn(store.url)).toBe(release);
  });

  it('makes a release current where there was none', async () => {
    const release = await publish(store.url, 0);
    await removeObject(store.url, 'vit/current.json');
    const options = { storeUrl: store.url, name: 'vit', release, settings, now };
    expect(await promoteRelease(options)).toMatchObject({ moved: true, previousRelease: null });
    expect(await currentIn(store.url)).toBe(release);
  });

  it.each(['', '{"kind":', '[]'])('replaces the damaged current.json "%s", and says so', async (damaged) => {
    const first = await publish(store.url, 0);
    const second = await publish(store.url, 1);
    await putObject(store.url, 'vit/current.json', damaged);
    const options = { storeUrl: store.url, name: 'vit', settings, now };
    const refusal = await catchError(() => rollbackRelease(options));
    expect(refusal).toMatchObject({ code: 'rollback-impossible', exitCode: 2 });
    expect(refusal.message).toContain('its current.json is damaged');
    expect(refusal.remedy).toContain(`optimise-model releases promote ${store.url} RELEASE --name vit`);
    const replaced = [{ code: 'current-replaced', severity: 'warning' }];
    const promoted = await promoteRelease({ ...options, release: first });
    expect(promoted).toMatchObject({ moved: true, previousRelease: null, findings: replaced });
    const current = await readCurrent(await openPlace(store.url), AbortSignal.timeout(9_000));
    expect(current?.record).toMatchObject({ release: first, previousReleases: [] });
    await putObject(store.url, 'vit/current.json', damaged);
    const place = await openPlace(store.url);
    const content = contentOf(await stageOne(store.url, 1), minutesLater(2));
    const third = await publishInto(place, content, quietContext());
    expect(third).toMatchObject({ previousRelease: null, findings: replaced });
    expect(await currentIn(store.url)).toBe(third.release);
    expect(second).not.toBe(third.release);
  });

  it('refuses a name that nothing lies under', async () => {
    await publish(store.url, 0);
    const options = { storeUrl: store.url, name: 'nope', settings, now };
    const refused = { code: 'name-not-there', exitCode: 2, facts: { name: 'nope' } };
    expect(await catchError(() => promoteRelease({ ...options, release: 'r' }))).toMatchObject(refused);
    expect(await catchError(() => rollbackRelease(options))).toMatchObject(refused);
  });

  it('says that publishing undoes a rollback, which another rollback takes back', async () => {
    const first = await publish(store.url, 0);
    const second = await publish(store.url, 1);
    const options = { storeUrl: store.url, name: 'vit', settings, now };
    await rollbackRelease(options);
    const record = await stageOne(store.url, 1);
    const publishAgain = async (minutes: number, hooks = {}) =>
      publishInto(
        await openPlace(store.url, hooks),
        contentOf(record, minutesLater(minutes)),
        quietContext(),
      );
    const third = await publishAgain(2);
    expect(third.findings).toMatchObject([
      { code: 'rollback-undone', severity: 'info', facts: { was: first, newer: second } },
    ]);
    expect((await publishAgain(3)).findings).toEqual([]);
    await rollbackRelease(options);
    await rollbackRelease(options);
    expect(await currentIn(store.url)).toBe(first);
    const refuse = async () => Promise.reject(OptimiseModelError.of('write-conflict', { url: 'x' }));
    expect((await publishAgain(4, { list: refuse })).findings).toEqual([]);
  });

  it('leaves a damaged current.json to whoever replaces it first', async () => {
    const first = await publish(store.url, 0);
    await putObject(store.url, 'vit/current.json', 'damaged');
    let isFirst = true;
    const place = await openPlace(store.url, {
      write: async (go, its) => {
        if (its === 'vit/current.json' && isFirst) await putObject(store.url, its, currentOf('r9', []));
        if (its === 'vit/current.json') isFirst = false;
        return go();
      },
    });
    const from = await readReplacedCurrent(place, AbortSignal.timeout(9_000));
    const work = () => promoteAt(place, { release: first, from, now }, quietContext());
    expect(await catchError(work)).toMatchObject({ code: 'publish-conflict', facts: { current: 'r9' } });
  });

  it('puts back a release document that was pruned while it was promoted', async () => {
    const first = await publish(store.url, 0);
    await publish(store.url, 1);
    const key = `vit/releases/${first}.json`;
    const place = await openPlace(store.url, {
      write: async (go, its) => {
        if (its === 'vit/current.json') await removeObject(store.url, key);
        return go();
      },
    });
    const from = await readCurrent(place, AbortSignal.timeout(9_000));
    await promoteAt(place, { release: first, from, now }, quietContext());
    expect(await keysOf(store.url)).toContain(key);
  });

  it.each([1, 4])(
    'puts it back although S3 answers with a conflict %i times, as it does when a removal won',
    async (conflicts) => {
      const first = await publish(store.url, 0);
      await publish(store.url, 1);
      const key = `vit/releases/${first}.json`;
      let left = conflicts;
      const place = await openPlace(store.url, {
        write: async (go, its) => {
          if (its === 'vit/current.json') await removeObject(store.url, key);
          // The attempt before the move is the proof that conditions are heeded.
          const isGone = (await place.store.head(key)) === undefined;
          if (its !== key || !isGone || left === 0) return go();
          left -= 1;
          throw OptimiseModelError.of('write-conflict', { url: its });
        },
      });
      const from = await readCurrent(place, AbortSignal.timeout(9_000));
      await promoteAt(place, { release: first, from, now }, quietContext());
      expect(await keysOf(store.url)).toContain(key);
    },
  );

  it.each([0, 1])('moves back when the artifacts were pruned with it (conflicts: %i)', async (conflicts) => {
    const first = await publish(store.url, 0, 1);
    const second = await publish(store.url, 1, 2);
    let moves = 0;
    const place = await openPlace(store.url, {
      write: async (go, its) => {
        if (its !== 'vit/current.json') return go();
        moves += 1;
        if (moves > 1 && moves < 2 + conflicts) throw OptimiseModelError.of('write-conflict', { url: its });
        await removeObject(store.url, `vit/releases/${first}.json`);
        for (const found of await keysOf(store.url)) {
          if (found.endsWith('artifact.json')) await removeObject(store.url, found);
        }
        return go();
      },
    });
    const from = await readCurrent(place, AbortSignal.timeout(9_000));
    const work = () => promoteAt(place, { release: first, from, now }, quietContext());
    expect((await catchError(work)).code).toBe('publish-not-staged');
    expect(await currentIn(store.url)).toBe(second);
  });
});
