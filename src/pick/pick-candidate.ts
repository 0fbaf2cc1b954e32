import type { Delivery } from '../lib/delivery.js';
import type { Metric } from '../lib/objective.js';
import type { StartMode } from '../lib/start-mode.js';
import type { Engine, Layout } from '../lib/variant.js';

/** What a figure rests on, the surest first. */
export const evidenceKinds = ['measured', 'imported', 'listed', 'assumed'] as const;

/** One thing that a figure rests on. */
export type Evidence = {
  /** `measured` here, `imported` from logs of the platform, `listed` in a dated price list, or `assumed`: stated by somebody. */
  readonly kind: (typeof evidenceKinds)[number];
  /** Which part of the figure: such as `environment`, `the restore` or `total`. */
  readonly what: string;
  /** Where it was read; null for what was measured here. */
  readonly source: string | null;
};

/** One figure of a candidate with how it spread: milliseconds, or USD. */
export type PickMeasure = {
  /** Median of the samples, or what is stated. */
  readonly value: number;
  /** 95th percentile; null when there are too few samples for one. */
  readonly p95: number | null;
  /** Lowest and highest sample; null when nothing is known of them. */
  readonly min: number | null;
  readonly max: number | null;
  /** How many samples the highest is the highest of; 0 where part of it is stated without a tail: it is no tail then. */
  readonly count: number;
  /**
   * Part of the value that no sample here holds, being the same in each: an environment or a restore; 0 for none, null
   * for real runs, which are measured as a whole.
   */
  readonly unseenMs: number | null;
  /** Whether p95, min and max are those of parts that were measured apart, added up: bounds. */
  readonly isSummed: boolean;
  /** One value per sample, those of one round together measured; empty when nothing is known of them. */
  readonly samples: PickSamples;
  readonly evidence: readonly Evidence[];
};

/** What was measured in which round. */
export type PickSamples = readonly { readonly round: number; readonly value: number }[];

/** The figures of a candidate; null when there is none. */
export type PickMeasures = {
  /** From the call to the end of the first inference, everything before the process included. */
  readonly total: PickMeasure | null;
  /** From the call until a handler takes the request; by `snapstart` the restore. */
  readonly ready: PickMeasure | null;
  readonly steady: PickMeasure | null;
  /** USD. */
  readonly costPer100k: PickMeasure | null;
  /** What the platform counts as initialisation, before a handler takes requests; by `snapstart` before the snapshot. */
  readonly init: PickMeasure | null;
  /** The first request alone, which the platform counts as one invocation. */
  readonly firstCall: PickMeasure | null;
};

/** What another verb said about a candidate. */
type PickVerdict = { readonly verdict: string; readonly reason: string };

/** One variant by one delivery and start mode, with everything the choice rests on. */
export type PickCandidate = {
  readonly variantId: string;
  readonly delivery: Delivery;
  readonly startMode: StartMode;
  readonly engine: Engine;
  readonly layout: Layout;
  /** Of the function that was imitated or imported, MiB; null for the whole machine. */
  readonly memoryMiB: number | null;
  /** The artifact, bytes. */
  readonly sizeBytes: number;
  /** Everything that is deployed: artifact, runtime pack and loader, bytes. */
  readonly deployedBytes: number;
  /** What the artifact is bound to by what it is, one clause: `compiled for OpenVINO 2026.4.1 …`; null for nothing. */
  readonly binding: string | null;
  /** Null when parity was not judged. */
  readonly parity: PickVerdict | null;
  /** Null when no budget was checked. */
  readonly budget: PickVerdict | null;
  /** Why the platform does not allow it at all, one clause each: `snapstart allows no mount`. */
  readonly unfit: readonly string[];
  readonly measures: PickMeasures;
  /** Metrics on which the measurement leaves something out. */
  readonly notComparable: readonly { readonly objective: Metric; readonly reason: string }[];
  /** Samples taken, failed ones included; 0 without a measurement. */
  readonly runs: number;
  /** Samples that died. */
  readonly failures: number;
};
