import { mappedSession, usualSession, usualSessions } from '../../src/lib/session-options.js';
import type { SweepReport } from '../../src/report/documents/sweep-result.js';
import type { TuneReport } from '../../src/report/documents/tune-result.js';

const machine = {
  cpuModel: 'A processor',
  cores: 2,
  memoryBytes: 8e9,
  node: '20.20.2',
  platform: 'linux/x64',
};

const combinations = [
  { workers: 1, threads: 1, p95Ms: 244, throughputPerSecond: 4.1 },
  { workers: 1, threads: 2, p95Ms: 140, throughputPerSecond: 7.1 },
  { workers: 2, threads: 1, p95Ms: 300, throughputPerSecond: 7.9 },
  { workers: 4, threads: 1, p95Ms: null, throughputPerSecond: null },
] as const;

/** A profile that control groups hold in full. */
export const heldProfile = {
  memoryMiB: 4096,
  vcpus: 2.32,
  threads: 2,
  threadsOrigin: 'affinity 2 CPUs',
  cpuLimit: 'cgroup-v1',
  memoryLimit: 'cgroup-v1',
} as const;

/** Workers × threads of one variant; the last combination failed. */
export const sampleSweep: SweepReport = {
  variantId: 'fp32.external',
  memoryMiB: 4096,
  cpus: 2,
  profile: heldProfile,
  session: usualSession,
  points: combinations.map(({ workers, threads, p95Ms, throughputPerSecond }) => ({
    workers,
    threads,
    isOversubscribed: workers * threads > 2,
    inferences: p95Ms === null ? 0 : 120,
    windowMs: 30_000,
    p50Ms: p95Ms === null ? null : p95Ms * 0.9,
    p95Ms,
    p99Ms: p95Ms === null ? null : p95Ms * 1.2,
    billedMs: p95Ms,
    throughputPerSecond,
    peakRssBytes: 600_000_000 * workers,
    costPer100kUsd: null,
    error: p95Ms === null ? { code: 'sweep-worker-died', what: 'It died.' } : null,
  })),
  best: { latency: 1, throughput: 2, cost: null },
  priceBasis: null,
  machine,
  durationMs: 90_000,
  findings: [],
};

type Configuration = TuneReport['configurations'][number];

function openAs(form: Configuration['form'], readyMs: number | null, steadyMs: number | null): Configuration {
  return {
    form,
    saved: null,
    session: form === 'expanded' ? mappedSession : usualSession,
    ...{ modelCache: 'none', isMapped: true, cacheSizeBytes: null },
    sessionMs: readyMs === null ? null : readyMs - 50,
    firstInferenceMs: readyMs === null ? null : 50,
    readyMs,
    steadyMs,
    sizeBytes: form === 'expanded' ? 343_000_000 : 172_000_000,
    peakRssBytes: 550_000_000,
    boundTo: null,
    samples: [],
    error: readyMs === null ? { code: 'bench-sample-died', what: 'It died.' } : null,
  };
}

/** Three ways of opening a variant, of which one failed; the second is the readiest. */
export const sampleTune: TuneReport = {
  variantId: 'fp16-weights.external',
  ...{ engine: 'onnxruntime', engineVersion: '1.30.0' },
  memoryMiB: null,
  threads: 2,
  profile: null,
  configurations: [openAs('own', 1150, 590), openAs('expanded', 660, 640), openAs('own', null, null)],
  front: [0, 1],
  chosen: usualSessions,
  reason: 'As it is: prepacking. By stream: no prepacking.',
  cache: 'warm',
  machine,
  durationMs: 90_000,
  findings: [],
};
