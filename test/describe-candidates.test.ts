import { describe, expect, it } from 'vitest';
import { describeCandidates } from '../src/describe-candidates.js';
import { findExclusions } from '../src/find-exclusions.js';
import type { PickCandidate } from '../src/pick/pick-candidate.js';
import { tailOf } from '../src/pick/tail-of.js';
import {
  makeBench,
  makeBudgets,
  makeGround,
  makeImportRow,
  makePipeline,
  makeSamples,
  makeVariant,
} from './fixtures/measured-run.js';

const source = 'logs of May';
const allModes = {
  snapstart: { restoreMs: 200, source },
  provisioned: {},
};

function modesOf(delivery: string, startModes: object, over: object = {}) {
  const pipeline = makePipeline({ bench: { deliveries: [delivery] }, pick: { startModes } });
  const samples = makeSamples({ delivery: delivery as 's3-copy' });
  const environment = { [delivery]: { ms: 300, source } };
  return describeCandidates(makeGround({ pipeline, bench: makeBench(samples, environment), ...over }));
}

const value = (candidate: PickCandidate | undefined, name: keyof PickCandidate['measures']) =>
  candidate?.measures[name]?.value;

describe('a candidate', () => {
  it('is a variant by a delivery in a start mode, on demand when nothing is said', () => {
    const pipeline = makePipeline({ bench: { deliveries: ['s3-copy', 'lazy'] } });
    const names = describeCandidates(makeGround({ pipeline })).map(({ delivery, startMode }) => [
      delivery,
      startMode,
    ]);
    expect(names).toEqual([
      ['s3-copy', 'on-demand'],
      ['lazy', 'on-demand'],
    ]);
  });

  it('keeps what is in another cache state out of every figure', () => {
    const stray = makeSamples({ variantId: 'fp16.single', cache: 'memory' }, 6);
    const [one] = makeSamples({ variantId: 'fp16.single' }, 1);
    if (one === undefined) throw new Error('there is one');
    const bench = makeBench([...makeSamples(), one, ...stray]);
    const variants = [makeVariant(), makeVariant({ precision: 'fp16' })];
    const [usual, other] = describeCandidates(makeGround({ bench, variants }));
    expect(usual).toMatchObject({ runs: 7, notComparable: [{ objective: 'costPer100k' }] });
    expect(value(usual, 'total')).toBe(103);
    expect(other?.notComparable.map(({ objective }) => objective)).toEqual([
      'total',
      'ready',
      'steady',
      'costPer100k',
    ]);
    expect(other?.notComparable[0]?.reason).toContain('6 of 7 samples');
    expect(other?.measures).toMatchObject({ total: null, ready: null, steady: null, init: null });
  });

  it('counts failed samples of every state', () => {
    const failed = { phases: null, steadyMs: [], error: { code: 'x', what: 'it died' } };
    const bench = makeBench([...makeSamples(), ...makeSamples({ ...failed, cache: 'warm' }, 1)]);
    expect(describeCandidates(makeGround({ bench }))).toMatchObject([{ failures: 1 }]);
  });

  it('is as large as what is deployed: package and artifact', () => {
    const [copied] = modesOf('s3-copy', {});
    const [layer] = modesOf('layer', {});
    expect([copied?.deployedBytes, layer?.deployedBytes]).toEqual([50_001_000, 50_000_000]);
  });

  it('says what it is bound to', () => {
    const variant = makeVariant({ engine: 'openvino', layout: 'blob' });
    const boundTo = { kind: 'compiled-blob', engineVersion: '2026.4.1', instructionSets: ['avx2'] } as const;
    const record = { ...variant.record, requires: { ...variant.record.requires, boundTo } };
    const [candidate] = describeCandidates(makeGround({ variants: [{ ...variant, record }] }));
    expect(candidate?.binding).toBe('compiled for OpenVINO 2026.4.1 and a processor with avx2');
  });

  it('without a measurement has no figure, and none that is 0', () => {
    const [candidate] = describeCandidates(makeGround({ bench: null }));
    const { measures } = candidate ?? {};
    expect(Object.values(measures ?? {})).toEqual([null, null, null, null, null, null]);
    expect(candidate).toMatchObject({ runs: 0, memoryMiB: null });
  });
});

describe('start modes', () => {
  it('on demand take everything from the call to the answer', () => {
    const [onDemand] = modesOf('s3-copy', {});
    expect(value(onDemand, 'total')).toBe(403);
    expect(value(onDemand, 'ready')).toBe(375);
    expect(value(onDemand, 'init')).toBe(75);
    expect(value(onDemand, 'firstCall')).toBe(28);
    expect(onDemand?.measures.total?.evidence).toEqual([
      { kind: 'assumed', what: 'environment', source },
      { kind: 'measured', what: 'start, load and first inference', source: null },
    ]);
    expect(onDemand?.measures.total?.samples[6]).toEqual({ round: 6, value: 406 });
  });

  it('with SnapStart leave the restore and the first inference', () => {
    const [, snapstart] = modesOf('s3-copy', allModes);
    expect([value(snapstart, 'total'), value(snapstart, 'ready'), value(snapstart, 'init')]).toEqual([
      228, 200, 75,
    ]);
    expect(snapstart?.measures.total?.evidence.map(({ kind }) => kind)).toEqual([
      'assumed',
      'assumed',
      'measured',
    ]);
    expect(snapstart?.measures.ready?.samples).toEqual([]);
  });

  it('with provisioned concurrency leave the first inference, and nothing to wait for before', () => {
    const [, , provisioned] = modesOf('s3-copy', allModes);
    expect([value(provisioned, 'total'), value(provisioned, 'ready')]).toEqual([28, 0]);
    expect(provisioned?.measures.ready?.evidence).toMatchObject([{ kind: 'assumed' }]);
  });

  it('load a lazy model before the snapshot, but not before a call that meets a provisioned process', () => {
    const [onDemand, snapstart, provisioned] = modesOf('lazy', allModes);
    expect([onDemand, snapstart, provisioned].map((each) => value(each, 'total'))).toEqual([403, 228, 93]);
    expect([onDemand, snapstart, provisioned].map((each) => value(each, 'init'))).toEqual([10, 75, 10]);
    expect([onDemand, snapstart, provisioned].map((each) => value(each, 'firstCall'))).toEqual([93, 28, 93]);
  });

  it('cannot be compared where the restore is not known, or the environment beside another start mode', () => {
    const pipeline = makePipeline({
      bench: { deliveries: ['s3-copy'] },
      pick: { startModes: { snapstart: {}, provisioned: {} } },
    });
    const [onDemand, snapstart, provisioned] = describeCandidates(makeGround({ pipeline }));
    const gaps = (candidate?: PickCandidate) =>
      candidate?.notComparable.filter(({ objective }) => objective !== 'costPer100k');
    expect(gaps(onDemand)).toMatchObject([
      { objective: 'total', reason: expect.stringContaining('bench.environment.s3-copy') },
      { objective: 'ready' },
    ]);
    expect(gaps(snapstart)).toMatchObject([
      { objective: 'total', reason: expect.stringContaining('pick.startModes.snapstart.restoreMs') },
      { objective: 'ready' },
    ]);
    expect(gaps(provisioned)).toEqual([]);
    expect([onDemand?.measures.total, snapstart?.measures.ready]).toEqual([null, null]);
  });

  it('that the platform does not allow are unfit, each with its reason', () => {
    const [, mounted] = modesOf('mount', allModes);
    expect(mounted?.unfit).toEqual(['snapstart allows no mounted file system']);
    const large = makeBudgets([makeVariant()], ['s3-copy'], 700 * 1024 ** 2);
    const [onDemand, snapstart, provisioned] = modesOf('s3-copy', allModes, { budgets: large });
    expect(snapstart?.unfit).toEqual([
      'snapstart allows 512 MiB of ephemeral storage, and 704 MiB are needed',
    ]);
    expect([onDemand?.unfit, provisioned?.unfit]).toEqual([[], []]);
  });

  it('count what is stated for one delivery against each that is stated nothing of', () => {
    const pipeline = makePipeline({ bench: { deliveries: ['s3-copy', 'stream'] } });
    const samples = [...makeSamples(), ...makeSamples({ delivery: 'stream' })];
    const bench = makeBench(samples, { 's3-copy': { ms: 300, source } });
    const [stated, other] = describeCandidates(makeGround({ pipeline, bench }));
    expect([value(stated, 'total'), value(other, 'total')]).toEqual([403, undefined]);
    const nowhere = describeCandidates(makeGround({ pipeline, bench: makeBench(samples) }));
    expect(nowhere.map((each) => value(each, 'total'))).toEqual([103, 103]);
  });

  it('have the tail of an unseen time that is stated, and none where it is not', () => {
    const tailsOf = (p95Ms: object, restoreP95Ms: object) => {
      const pipeline = makePipeline({
        bench: { deliveries: ['s3-copy'], environment: { 's3-copy': { ms: 300, source, ...p95Ms } } },
        pick: { startModes: { snapstart: { restoreMs: 200, source, ...restoreP95Ms } } },
      });
      const bench = makeBench(makeSamples(), { 's3-copy': { ms: 300, source } });
      return describeCandidates(makeGround({ pipeline, bench })).flatMap((candidate) => [
        tailOf(candidate, 'total'),
        tailOf(candidate, 'ready'),
      ]);
    };
    expect(tailsOf({}, {})).toEqual([null, null, null, null]);
    expect(tailsOf({ p95Ms: 900 }, { restoreP95Ms: 2000 })).toEqual([
      { valueMs: 1006, highestOf: 7, isSummed: true },
      { valueMs: 975, highestOf: 7, isSummed: true },
      { valueMs: 2031, highestOf: 7, isSummed: true },
      { valueMs: 2000, highestOf: null, isSummed: false },
    ]);
  });

  it('that nobody asks for are left out', () => {
    const names = modesOf('s3-copy', { 'on-demand': false, provisioned: {} }).map((each) => each.startMode);
    expect(names).toEqual(['provisioned']);
  });
});

describe('real runs', () => {
  const imported = (...rows: readonly Parameters<typeof makeImportRow>[0][]) => ({
    memoryMiB: 2048,
    rows: rows.map(makeImportRow),
    others: [],
  });

  it('stand in place of what was measured here, as evidence of their own', () => {
    const [candidate] = describeCandidates(makeGround({ imported: imported({}) }));
    expect(candidate).toMatchObject({ memoryMiB: 2048, runs: 15, failures: 0 });
    expect([value(candidate, 'total'), value(candidate, 'ready'), value(candidate, 'steady')]).toEqual([
      1040, 1000, 20,
    ]);
    expect(candidate?.measures.total).toMatchObject({ min: 1030, max: 1050, samples: [] });
    expect(candidate?.measures.total?.evidence).toEqual([
      {
        kind: 'imported',
        what: 'total',
        source: '15 cold calls of f (fp32.single) on Lambda, 2048 MiB, on-demand',
      },
    ]);
  });

  it('take further inferences of warm calls where there are any', () => {
    const warm = makeImportRow({ state: 'warm' });
    const further = {
      ...warm.metrics,
      approxInferenceTimeMs: { median: 9, min: 8, max: 10, p95: null, count: 3 },
    };
    const rows = imported({}, { ...warm, metrics: further });
    const [candidate] = describeCandidates(makeGround({ imported: rows }));
    expect(value(candidate, 'steady')).toBe(9);
  });

  it('add candidates of a start mode that was not asked for', () => {
    const rows = imported({ startMode: 'snapstart', restoreMs: null });
    const modes = describeCandidates(makeGround({ imported: rows })).map(({ startMode }) => startMode);
    expect(modes).toEqual(['on-demand', 'snapstart']);
  });

  it('say what passes before the process of another variant, and win over what is stated', () => {
    const variants = [makeVariant(), makeVariant({ precision: 'fp16' })];
    const samples = ['fp32.single', 'fp16.single'].flatMap((variantId) =>
      makeSamples({ variantId, memoryMiB: 2048 }),
    );
    const bench = makeBench(samples, { 's3-copy': { ms: 300, source } });
    const [, other] = describeCandidates(makeGround({ variants, bench, imported: imported({}) }));
    expect(value(other, 'total')).toBe(503);
    expect(other?.measures.total?.evidence[0]).toMatchObject({ kind: 'imported', what: 'environment' });
    // How it scattered is added to how the rest did: 390 to 410, and 100 to 106.
    const whole = { min: 490, max: 516, p95: null, count: 3, unseenMs: 400, isSummed: true };
    expect(other?.measures.total).toMatchObject(whole);
  });

  it('do not stand beside what was measured with other memory, which is priced by its own', () => {
    const variants = [makeVariant(), makeVariant({ precision: 'fp16' })];
    const bench = (memoryMiB: number | null) =>
      makeBench(makeSamples({ variantId: 'fp16.single', memoryMiB }));
    const [, whole] = describeCandidates(
      makeGround({ variants, bench: bench(null), imported: imported({}) }),
    );
    expect(whole?.memoryMiB).toBeNull();
    expect(whole?.measures.costPer100k).toBeNull();
    expect(whole?.notComparable.map(({ objective }) => objective)).toEqual([
      ...['total', 'ready', 'steady', 'costPer100k'],
    ]);
    expect(whole?.notComparable[0]?.reason).toBe(
      'measured with the whole machine, beside real runs with 2048 MiB (`bench.memoryMiB`)',
    );
    const [, other] = describeCandidates(
      makeGround({ variants, bench: bench(1024), imported: imported({}) }),
    );
    expect(other?.notComparable[3]?.reason).toContain('measured with 1024 MiB');
    const onlyBefore = imported({ variantId: 'of another run' });
    const [, alone] = describeCandidates(makeGround({ variants, bench: bench(null), imported: onlyBefore }));
    expect(value(alone, 'total')).toBe(503);
    expect(alone?.notComparable).toMatchObject([
      { objective: 'costPer100k', reason: expect.stringContaining('no memory is imitated') },
    ]);
  });

  it('leave no total without an environment beside them', () => {
    const pipeline = makePipeline({ bench: { deliveries: ['s3-copy', 'stream'] } });
    const bench = makeBench(makeSamples({ delivery: 'stream', memoryMiB: 2048 }));
    const [real, local] = describeCandidates(makeGround({ pipeline, bench, imported: imported({}) }));
    expect(value(real, 'total')).toBe(1040);
    expect(local?.measures.total).toBeNull();
    expect(local?.notComparable).toMatchObject([
      { objective: 'total', reason: expect.stringContaining('bench.environment.stream') },
      { objective: 'ready' },
    ]);
    expect(value(local, 'steady')).toBeGreaterThan(0);
  });

  it('say it of a layer only for the same variant: it depends on how large it is', () => {
    const variants = [makeVariant({ precision: 'fp16' })];
    const pipeline = makePipeline({ bench: { deliveries: ['layer'] } });
    const bench = makeBench(makeSamples({ variantId: 'fp16.single', delivery: 'layer' }));
    const rows = imported({ delivery: 'layer' });
    const [candidate] = describeCandidates(makeGround({ variants, pipeline, bench, imported: rows }));
    expect(candidate?.notComparable[0]).toMatchObject({ objective: 'total' });
  });
});

describe('findExclusions', () => {
  it('measures no external data of OpenVINO lazily, and says why', () => {
    const pipeline = makePipeline({ bench: { deliveries: ['s3-copy', 'lazy'] } });
    const external = makeVariant({ engine: 'openvino', layout: 'external' });
    expect(findExclusions(pipeline, external, null)).toMatchObject([
      { delivery: 'lazy', reason: expect.stringContaining('OpenVINO reads external data from files only') },
    ]);
    expect(findExclusions(pipeline, makeVariant({ layout: 'external' }), null)).toEqual([]);
    expect(findExclusions(pipeline, makeVariant({ engine: 'openvino', layout: 'ir' }), null)).toEqual([]);
  });
});
