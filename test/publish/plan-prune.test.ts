import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ObjectFolder, planPrune } from '../../src/publish/prune/plan-prune.js';
import type { ModelState } from '../../src/publish/read-model-state.js';
import type { FoundRelease } from '../../src/publish/read-releases.js';
import { recordOf } from '../fixtures/opaque-artifact.js';
import { releasedOf, releaseOf } from '../fixtures/opaque-release.js';

const artifacts = Array.from({ length: 6 }, (_, index) =>
  recordOf({ 'model.onnx': Buffer.from(`${index}`) }),
);

/** Ages in ms before now; null where the store does not say. */
const age = fc.option(fc.integer({ min: 0, max: 20 }), { nil: null });

const state = fc
  .array(fc.record({ age, uses: fc.subarray(artifacts) }), { maxLength: 6 })
  .chain((documents) => fc.record({ documents: fc.constant(documents), current: fc.nat() }))
  .map(({ documents, current }): ModelState => {
    const releases = documents.map(({ age: ageMs, uses }, index): FoundRelease => {
      const [first = artifacts[0]] = uses;
      if (first === undefined) throw new Error('there are artifacts');
      return {
        ...{ release: `r${index}`, key: `vit/releases/r${index}.json`, etag: `${index}`, problem: null },
        modifiedAtMs: ageMs === null ? null : 100 - ageMs,
        record: { ...releaseOf(first), artifacts: uses.map(releasedOf) },
      };
    });
    return { releases, current: releases[current % (releases.length || 1)]?.release ?? null, damaged: [] };
  });

const folders = fc.subarray(artifacts).chain((some) =>
  fc.tuple(
    ...some.map(({ digest }) =>
      fc.array(age, { minLength: 1, maxLength: 3 }).map(
        (ages): ObjectFolder => ({
          digest,
          objects: ages.map((ageMs, index) => ({
            ...{ key: `${digest}/${index}`, etag: '', sizeBytes: 1 },
            modifiedAtMs: ageMs === null ? null : 100 - ageMs,
          })),
        }),
      ),
    ),
  ),
);

it('never plans to remove what is current, referred to, young, of unknown age or being written to', () => {
  fc.assert(
    fc.property(
      state,
      folders,
      fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
      fc.integer({ min: 0, max: 20 }),
      fc.subarray(artifacts.map(({ digest }) => digest)),
      (model, all, keep, graceMs, busy) => {
        const plan = planPrune(model, all, (digest) => busy.includes(digest), { keep, graceMs, nowMs: 100 });
        const stay = model.releases.filter((release) => !plan.releases.includes(release));
        const needed = stay.flatMap(({ record }) => record?.artifacts.map(({ digest }) => digest) ?? []);
        const isOld = (at: number | null): boolean => at !== null && 100 - at >= graceMs;
        expect(
          plan.releases.every((found) => found.release !== model.current && isOld(found.modifiedAtMs)),
        ).toBe(true);
        expect(stay.length).toBeGreaterThanOrEqual(
          Math.min(keep ?? Number.POSITIVE_INFINITY, model.releases.length),
        );
        for (const { digest, objects } of plan.folders) {
          expect(needed).not.toContain(digest);
          expect(busy).not.toContain(digest);
          expect(objects.every(({ modifiedAtMs }) => isOld(modifiedAtMs))).toBe(true);
        }
        const unneeded = all.filter(({ digest }) => !needed.includes(digest));
        expect(plan.folders.length + plan.spared.length).toBe(unneeded.length);
      },
    ),
  );
});
