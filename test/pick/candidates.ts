import type { PickCandidate, PickMeasure, PickMeasures } from '../../src/pick/pick-candidate.js';
import type { PickResult } from '../../src/pick/pick-result.js';
import type { PickOptions, PickRules, TellsApart } from '../../src/pick/pick-rules.js';
import { pickWinner } from '../../src/pick/pick-winner.js';

/** What is chosen by where nothing is said. */
export const usualRules: PickRules = {
  objective: 'total',
  require: { parity: 'pass', budgets: 'pass', bound: 'no' },
  limits: { totalP95Ms: null, readyP95Ms: null, steadyP95Ms: null, costPer100kUsd: null, sizeBytes: null },
  invokedThrough: 'other',
  compared: { memoryMiB: null, othersMiB: [] },
};

/** A measurement without samples: a median, and how far it is known to spread. */
export function measure(value: number, over: Partial<PickMeasure> = {}): PickMeasure {
  return {
    value,
    p95: null,
    min: null,
    max: null,
    count: 7,
    unseenMs: 0,
    isSummed: false,
    samples: [],
    evidence: [{ kind: 'measured', what: 'total', source: null }],
    ...over,
  };
}

/** Measures by medians, or as they are; what is not given was not measured, or is far below every limit of a platform. */
export function measures(
  given: Readonly<Partial<Record<keyof PickMeasures, number | PickMeasure | null>>>,
): PickMeasures {
  const take = (name: keyof PickMeasures) => {
    const found = given[name] ?? null;
    return typeof found === 'number' ? measure(found) : found;
  };
  return {
    total: take('total'),
    ready: take('ready'),
    steady: take('steady'),
    costPer100k: take('costPer100k'),
    init: given.init === undefined ? measure(1, { max: 1 }) : take('init'),
    firstCall: given.firstCall === undefined ? measure(1, { max: 1 }) : take('firstCall'),
  };
}

/** A candidate against which nothing speaks. */
export function candidate(over: Partial<PickCandidate> = {}): PickCandidate {
  const sizeBytes = over.sizeBytes ?? 1000;
  return {
    variantId: 'fp32.single',
    delivery: 's3-copy',
    startMode: 'on-demand',
    engine: 'onnxruntime',
    layout: 'single',
    memoryMiB: null,
    sizeBytes,
    deployedBytes: sizeBytes,
    binding: null,
    parity: { verdict: 'pass', reason: 'all outputs within' },
    budget: { verdict: 'pass', reason: 'fits' },
    unfit: [],
    measures: measures({ total: 500, ready: 400, steady: 5 }),
    notComparable: [],
    runs: 7,
    failures: 0,
    ...over,
  };
}

/** Picks by the usual rules, where measuring says nothing of who is apart. */
export function pick(
  candidates: readonly PickCandidate[],
  over: Partial<PickOptions> = {},
  tellsApart: TellsApart = () => 'unknown',
): PickResult {
  return pickWinner({ ...usualRules, candidates, leftOut: [], ...over }, tellsApart);
}

/** A measurement by its samples, each of a round of its own. */
export function sampled(values: readonly number[], over: Partial<PickMeasure> = {}): PickMeasure {
  const sorted = [...values].sort((left, right) => left - right);
  return measure(sorted[Math.floor(sorted.length / 2)] ?? Number.NaN, {
    min: sorted.at(0) ?? null,
    max: sorted.at(-1) ?? null,
    count: values.length,
    samples: values.map((value, round) => ({ round, value })),
    ...over,
  });
}
