import { describe, expect, it } from 'vitest';
import { parseReleaseRecord } from '../../src/store/parse-release.js';
import { parseCurrentRecord, parseOpenableRelease } from '../../src/store/release-record.js';
import { recordOf } from '../fixtures/opaque-artifact.js';
import { releaseOf } from '../fixtures/opaque-release.js';

const release = releaseOf(recordOf({ 'model.onnx': Buffer.from('x') }));
const current = {
  schemaVersion: 1,
  kind: 'current',
  name: 'vit',
  release: release.release,
  releaseKey: `releases/${release.release}.json`,
  updatedAt: release.createdAt,
};

describe('a release document', () => {
  it('is read back as it was written, nulls included', () => {
    expect(parseReleaseRecord(JSON.stringify(release), 'here')).toEqual(release);
    const sparse = {
      ...release,
      chosen: { ...release.chosen, threads: null },
      artifacts: release.artifacts.map((artifact) => ({ ...artifact, parity: null, budgets: [], bench: [] })),
    };
    expect(parseReleaseRecord(JSON.stringify(sparse), 'here')).toEqual(sparse);
  });

  it.each([
    [
      'a choice that is none of its artifacts',
      { chosen: { ...release.chosen, digest: 'f'.repeat(64) } },
      'chosen',
    ],
    ['a choice by another variant', { chosen: { ...release.chosen, variantId: 'fp32.single' } }, 'chosen'],
    ['an unknown delivery', { chosen: { ...release.chosen, delivery: 'pigeon' } }, 'chosen.delivery'],
    [
      'a negative median',
      { artifacts: [{ ...release.artifacts[0], bench: [{ delivery: 'lazy', runs: 1, medianTotalMs: -1 }] }] },
      'medianTotalMs',
    ],
    ['a thread for each user', { chosen: { ...release.chosen, threads: 1e9 } }, 'chosen.threads'],
    ['no threads', { chosen: { ...release.chosen, threads: 0 } }, 'chosen.threads'],
    ['no artifacts', { artifacts: null }, 'artifacts'],
  ])('with %s is refused', (_what, change, field) => {
    expect(() => parseReleaseRecord(JSON.stringify({ ...release, ...change }), 'here')).toThrow(
      expect.objectContaining({ code: 'record-wrong', message: expect.stringContaining(field) }),
    );
  });
});

describe('what opens a release', () => {
  it('looks at nothing that is not needed for that', () => {
    const { createdAt: _createdAt, reason: _reason, ...known } = release;
    const artifacts = release.artifacts.map((artifact) => ({ ...artifact, bench: 'none', parity: 1 }));
    const { digest, record, sessions } = release.artifacts[0] ?? {};
    expect(parseOpenableRelease(JSON.stringify({ ...known, artifacts }), 'here')).toEqual({
      name: release.name,
      release: release.release,
      chosen: release.chosen,
      artifacts: [{ digest, record, sessions }],
    });
  });

  it.each([
    ['a choice that is none of its artifacts', { chosen: { ...release.chosen, digest: 'f'.repeat(64) } }],
    ['no artifacts', { artifacts: null }],
    ['an artifact by another digest', { artifacts: [{ ...release.artifacts[0], digest: 'f'.repeat(64) }] }],
    ['no name', { name: '' }],
  ])('refuses %s', (_what, change) => {
    const text = JSON.stringify({ ...release, ...change });
    expect(() => parseOpenableRelease(text, 'here')).toThrow(
      expect.objectContaining({ code: 'record-wrong' }),
    );
  });
});

describe('current.json', () => {
  it('is read back as it was written', () => {
    expect(parseCurrentRecord(JSON.stringify(current), 'here')).toEqual(current);
    const more = { ...current, previousReleases: ['20261129T160501Z-1a2b3c4d', 'r1'] };
    expect(parseCurrentRecord(JSON.stringify(more), 'here')).toEqual(more);
  });

  it.each([[['../x']], [['a/b']], [['']], [[1]], ['r1'], [null]])(
    'names releases as what was current before, not %j',
    (previousReleases) => {
      expect(() => parseCurrentRecord(JSON.stringify({ ...current, previousReleases }), 'here')).toThrow(
        expect.objectContaining({
          code: 'record-wrong',
          message: expect.stringContaining('previousReleases'),
        }),
      );
    },
  );

  it('names one release in both of its fields', () => {
    const changed = { ...current, releaseKey: 'releases/other.json' };
    expect(() => parseCurrentRecord(JSON.stringify(changed), 'here')).toThrow(
      expect.objectContaining({ code: 'record-wrong', message: expect.stringContaining('releaseKey') }),
    );
  });

  it.each(['../x.json', 'releases/../../x.json', 'releases/a/b.json', 's3://other/x.json'])(
    'does not lead outside its model (%s)',
    (releaseKey) => {
      expect(() => parseCurrentRecord(JSON.stringify({ ...current, releaseKey }), 'here')).toThrow(
        expect.objectContaining({ code: 'record-wrong' }),
      );
    },
  );
});
