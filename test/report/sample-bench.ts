import type { Delivery } from '../../src/lib/delivery.js';
import { sumPhases } from '../../src/lib/phases.js';
import { mappedSession, usualSession } from '../../src/lib/session-options.js';
import type {
  BenchReport,
  BenchReportRow,
  BenchReportSample,
} from '../../src/report/documents/bench-result.js';

/** What the sample benchmark knows of a variant. */
export type SampleVariant = {
  readonly id: string;
  readonly sizeBytes: number;
  readonly sessionMs: number;
};

/** The deliveries of the sample run. */
export const sampleDeliveries = ['s3-copy', 'layer', 'lazy', 'stream'] as const;

const runs = 7;
/** Each run ÷ the median run; the same on every call. */
const spreadOfRuns = [1, 0.95, 1.03, 0.98, 1.14, 1.04, 1] as const;
const floorMs = 18;
const fastestTotalMs = 190;

/** Figures as a run of the demo gives them; the same on every call. */
function measure(
  variant: SampleVariant,
  delivery: Delivery,
  environment: BenchReportRow['environment'],
): BenchReportRow {
  const linkMs = delivery === 'layer' ? 0 : 20 + variant.sizeBytes / 90_000;
  const phases = {
    startMs: 41 + variant.sessionMs / 40,
    runtimeMs: 36,
    downloadMs: delivery === 'layer' ? 0 : linkMs + 4,
    sessionMs: delivery === 'stream' ? floorMs + 3 : variant.sessionMs + (delivery === 'lazy' ? 6 : 0),
    firstInferenceMs: variant.id === 'fp16.single' ? 44 : 29,
  };
  const sums = sumPhases(phases, delivery === 'lazy');
  const all = { ...phases, ...sums, steadyMs: phases.firstInferenceMs * 0.81 };
  const spread = (median: number) => ({
    median,
    min: median * 0.95,
    max: median * 1.14,
    p95: null,
    count: runs,
  });
  const reason =
    delivery === 'layer' && environment === null ? 'the creation of the environment is not seen here' : null;
  const limitMs = linkMs + floorMs;
  return {
    variantId: variant.id,
    delivery,
    memoryMiB: null,
    cache: 'evicted',
    session: delivery === 'stream' ? mappedSession : usualSession,
    runs,
    failures: 0,
    phases: Object.fromEntries(
      Object.entries(all).map(([name, value]) => [name, spread(value)]),
    ) as BenchReportRow['phases'],
    outliers: variant.id === 'fp32.single' && delivery === 's3-copy' ? [4] : [],
    peakRssBytes: 118_000_000 + variant.sizeBytes,
    environment,
    comparable: { total: reason, ready: reason },
    limit: {
      linkBytes: delivery === 'layer' ? 0 : variant.sizeBytes,
      linkMs,
      sessionMs: floorMs,
      loadMs: limitMs,
      efficiency: limitMs / sums.loadMs,
    },
  };
}

/** The samples behind a row, moved from its medians as {@link spreadOfRuns} says. */
export function sampleRow(row: BenchReportRow): readonly BenchReportSample[] {
  return spreadOfRuns.map((factor, run) => {
    const of = (name: keyof BenchReportRow['phases']) => (row.phases[name]?.median ?? 0) * factor;
    const { variantId, delivery, memoryMiB, cache, peakRssBytes } = row;
    return {
      variantId,
      delivery,
      memoryMiB,
      run,
      phases: {
        startMs: of('startMs'),
        runtimeMs: of('runtimeMs'),
        downloadMs: of('downloadMs'),
        sessionMs: of('sessionMs'),
        firstInferenceMs: of('firstInferenceMs'),
      },
      steadyMs: [of('steadyMs')],
      peakRssBytes,
      cache,
      stealMs: 0,
      error: null,
    };
  });
}

function compareRow(row: BenchReportRow, against: BenchReportRow): BenchReport['comparisons'][number] {
  const nameOf = ({ variantId, delivery, memoryMiB }: BenchReportRow) => ({ variantId, delivery, memoryMiB });
  const ratio = (row.phases.totalMs?.median ?? 0) / fastestTotalMs;
  const steady = (row.phases.steadyMs?.median ?? 0) / (against.phases.steadyMs?.median ?? 1);
  const verdict = ratio < 1.03 ? 'no-measurable-difference' : 'slower';
  return {
    row: nameOf(row),
    against: nameOf(against),
    cache: row.cache,
    total: { ratio, low: ratio - 0.04, high: ratio + 0.05, samples: runs, verdict },
    steady: {
      ratio: steady,
      low: steady - 0.02,
      high: steady + 0.02,
      samples: runs,
      verdict: steady > 1.02 ? 'slower' : 'no-measurable-difference',
    },
  };
}

/**
 * A benchmark of the given variants by four deliveries.
 *
 * @param variants - What is measured.
 * @param environment - What is stated for `layer`; null for not comparable rows.
 */
export function makeSampleBench(
  variants: readonly SampleVariant[],
  environment: BenchReportRow['environment'],
): BenchReport {
  const rows = variants.flatMap((variant) =>
    sampleDeliveries.map((delivery) => measure(variant, delivery, delivery === 'layer' ? environment : null)),
  );
  const byTotal = rows
    .filter((row) => row.comparable.total === null)
    .sort((left, right) => (left.phases.totalMs?.median ?? 0) - (right.phases.totalMs?.median ?? 0));
  const [fastest, ...others] = byTotal;
  return {
    rows,
    comparisons: fastest === undefined ? [] : others.map((row) => compareRow(row, fastest)),
    baseline: null,
    samples: rows.flatMap(sampleRow),
    limitSamples: [],
    link: {
      label:
        'simulated by a loopback HTTP server, 20.0 ms to the first byte, 90 MB/s for all connections together',
      simulated: true,
      latencyMs: 20,
      jitterMs: 0,
      bytesPerSecond: 90e6,
      perConnectionBytesPerSecond: null,
      achieved: { bytesPerSecond: 88.4e6, latencyMs: 20.6 },
    },
    hubLink: null,
    disk: { bytesPerSecond: null, enforcement: 'none', label: 'ext4 on vda, as it is' },
    profiles: [
      {
        memoryMiB: null,
        vcpus: 2,
        threads: 2,
        threadsOrigin: '2 processors',
        cpuLimit: 'none',
        memoryLimit: 'none',
      },
    ],
    cache: { state: 'evicted', title: 'cold start, files evicted' },
    runtimes: [{ engine: 'onnxruntime', version: '1.30.0' }],
    machine: {
      cpuModel: 'Intel(R) Xeon(R) Processor @ 2.80GHz',
      cores: 2,
      memoryBytes: 8 * 1024 ** 3,
      node: '20.20.2',
      platform: 'linux/x64',
    },
    durationMs: 41_200,
    findings: [],
  };
}
