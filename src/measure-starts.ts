import { addUnseen, type KnownTime } from './add-unseen.js';
import type { BenchRow, BenchSample } from './bench/bench-result.js';
import { listSteadyMedians, samplesOf } from './bench/statistics/row-samples.js';
import { type Spread, spreadOf } from './bench/statistics/spread.js';
import type { Delivery } from './lib/delivery.js';
import { type Phases, sumPhases } from './lib/phases.js';
import type { StartMode } from './lib/start-mode.js';
import type { Evidence, PickMeasure, PickMeasures, PickSamples } from './pick/pick-candidate.js';

/** What one machine cannot see of a start; null where nobody says it. */
export type UnseenTimes = {
  /** From the call until a new process exists. */
  readonly environment: KnownTime | null;
  /** From the call until a restored process takes it. */
  readonly restore: KnownTime | null;
  /** Whether anything that is compared counts such a time, so that what leaves it out would win by that. */
  readonly isCounted: boolean;
};

/** The times of a start; money is another matter. */
export type StartMeasures = Omit<PickMeasures, 'costPer100k'> & {
  /** Why there is no total and no ready: null when there are. */
  readonly gap: string | null;
};

/** One process that got through, and its round. */
export type TimedProcess = {
  readonly round: number;
  readonly phases: Phases;
  /** Each inference after the first, ms. */
  readonly steadyMs: readonly number[];
};

const here: Evidence = { kind: 'measured', what: 'start, load and first inference', source: null };
const firstHere: Evidence = { kind: 'measured', what: 'first inference', source: null };
const steadyHere: Evidence = { kind: 'measured', what: 'further inferences', source: null };
const likeAfterLoad: Evidence = {
  kind: 'assumed',
  what: 'first inference after a restore',
  source: 'taken to last as long as after a load',
};
const startedBefore: Evidence = {
  kind: 'assumed',
  what: 'ready before the call',
  source: 'by definition of provisioned concurrency',
};

/**
 * Lists the processes that a row sums up.
 *
 * @param row - A row of a benchmark.
 * @param samples - All samples of it.
 * @returns Those that got through, in the order of the samples.
 */
export function listProcesses(row: BenchRow, samples: readonly BenchSample[]): readonly TimedProcess[] {
  return samplesOf(row, samples).flatMap(({ run, phases, steadyMs }) =>
    phases === null ? [] : [{ round: run, phases, steadyMs }],
  );
}

/**
 * Works out what a start takes by each start mode from processes that were started here. On demand it is all of it, after
 * what is known of the environment. With SnapStart the model is loaded before the snapshot, lazily opened ones included:
 * what is left of it is the restore and the first inference. With provisioned concurrency the process is there before the
 * call; a lazily opened model is loaded by the first one.
 *
 * @param row - The row.
 * @param samples - All samples of the benchmark.
 * @param startMode - How the platform starts the process.
 * @param unseen - What is known of the times that one machine cannot see.
 * @returns The figures, milliseconds.
 */
export function measureStart(
  row: BenchRow,
  samples: readonly BenchSample[],
  startMode: StartMode,
  unseen: UnseenTimes,
): StartMeasures {
  const processes = listProcesses(row, samples).map(({ round, phases }) => ({
    round,
    times: timeStart(startMode, row.delivery, phases),
  }));
  const before = findBefore(startMode, row.delivery, unseen);
  const timed = [startMode === 'on-demand' ? here : firstHere];
  const sum = (name: keyof StartTimes, evidence: readonly Evidence[]) =>
    makeMeasure(
      processes.map(({ round, times }) => ({ round, value: times[name] })),
      evidence,
    );
  const isKnown = before.gap === null;
  return {
    total: isKnown ? putBefore(before, sum('totalMs', [...before.evidence, ...timed])) : null,
    ready: isKnown ? measureReady(startMode, before, sum('readyMs', [here])) : null,
    steady: measureSteady(row, samples),
    init: sum('initMs', [here]),
    firstCall: sum('firstCallMs', timed),
    gap: before.gap,
  };
}

type StartTimes = {
  readonly totalMs: number;
  readonly readyMs: number;
  readonly initMs: number;
  readonly firstCallMs: number;
};

function timeStart(startMode: StartMode, delivery: Delivery, phases: Phases): StartTimes {
  const isLazy = delivery === 'lazy';
  const { coldStartMs, totalMs, readyMs } = sumPhases(phases, isLazy);
  const { startMs, firstInferenceMs } = phases;
  if (startMode === 'snapstart') {
    return {
      totalMs: firstInferenceMs,
      readyMs: 0,
      initMs: coldStartMs,
      firstCallMs: firstInferenceMs,
    };
  }
  const firstCallMs = isLazy ? totalMs - startMs : firstInferenceMs;
  if (startMode === 'provisioned') return { totalMs: firstCallMs, readyMs: 0, initMs: readyMs, firstCallMs };
  return { totalMs, readyMs, initMs: readyMs, firstCallMs };
}

type Before = {
  /** Null where nothing comes before, or nobody says what. */
  readonly known: KnownTime | null;
  /** What the rest of the total rests on besides. */
  readonly evidence: readonly Evidence[];
  readonly gap: string | null;
};

function findBefore(
  startMode: StartMode,
  delivery: Delivery,
  { environment, restore, isCounted }: UnseenTimes,
): Before {
  if (startMode === 'provisioned') return { known: null, evidence: [], gap: null };
  const known = startMode === 'snapstart' ? restore : environment;
  const evidence = startMode === 'snapstart' ? [likeAfterLoad] : [];
  const isNeeded = startMode === 'snapstart' || delivery === 'layer' || isCounted;
  return { known, evidence, gap: known === null && isNeeded ? explainGap(startMode, delivery) : null };
}

function putBefore({ known }: Before, measured: PickMeasure | null): PickMeasure | null {
  return known === null || measured === null ? measured : addUnseen(measured, known);
}

function explainGap(startMode: StartMode, delivery: Delivery): string {
  return startMode === 'snapstart'
    ? 'the restore is neither stated (`pick.startModes.snapstart.restoreMs`) nor imported'
    : `the time before the process exists is not stated (\`bench.environment.${delivery}\`)`;
}

/** Of a restore nothing is measured here, and of a process that is there before the call there is nothing to measure. */
function measureReady(
  startMode: StartMode,
  before: Before,
  measured: PickMeasure | null,
): PickMeasure | null {
  if (startMode === 'on-demand') return putBefore(before, measured);
  const { known } = before;
  if (startMode === 'snapstart' && known !== null) {
    const { evidence, ...times } = known;
    return { ...times, unseenMs: known.value, isSummed: false, samples: [], evidence: [evidence] };
  }
  const nothing = { value: 0, p95: 0, min: 0, max: 0, count: 0, unseenMs: 0, isSummed: false };
  return { ...nothing, samples: [], evidence: [startedBefore] };
}

/** Spread over all inferences, compared by one median of each process. */
function measureSteady(row: BenchRow, samples: readonly BenchSample[]): PickMeasure | null {
  const medians = listSteadyMedians(samplesOf(row, samples));
  return describeSpread(
    row.phases.steadyMs,
    medians.map(({ run, value }) => ({ round: run, value })),
    [steadyHere],
  );
}

/**
 * Sums values up as a figure of a candidate.
 *
 * @param samples - One value per process.
 * @param evidence - What they rest on.
 * @returns The figure; null without values.
 */
export function makeMeasure(samples: PickSamples, evidence: readonly Evidence[]): PickMeasure | null {
  return describeSpread(spreadOf(samples.map(({ value }) => value)), samples, evidence);
}

/**
 * Takes a spread for a figure of a candidate.
 *
 * @param spread - The spread; null when there is none.
 * @param samples - What is compared by round; empty when nothing is known of it.
 * @param evidence - What they rest on.
 * @returns The figure; null without a spread.
 */
export function describeSpread(
  spread: Spread | null,
  samples: PickSamples,
  evidence: readonly Evidence[],
): PickMeasure | null {
  if (spread === null) return null;
  const { median, p95, min, max, count } = spread;
  return { value: median, p95, min, max, count, unseenMs: 0, isSummed: false, samples, evidence };
}
