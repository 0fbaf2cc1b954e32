import type { Delivery } from '../lib/delivery.js';
import type { Phases } from '../lib/phases.js';
import type { SessionOptions } from '../lib/session-options.js';
import type { InferencePrecision } from '../lib/variant.js';
import type { SampleError } from './bench-result.js';

/** What a sample's process is to do; it travels as JSON on its command line, so that nothing has to be waited for. */
export type SampleJob = {
  readonly source: string;
  /** Variables that are set before anything else. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whom to ask as S3; one that stands in for it gets credentials that mean nothing. Null leaves the AWS environment as it is. */
  readonly s3: { readonly endpoint: string; readonly isStandIn: boolean } | null;
  readonly delivery: Delivery;
  readonly threads: number;
  /** Null for an engine that has none of these. */
  readonly session: SessionOptions | null;
  /** For `mount`. */
  readonly mountMode: 'copy' | 'direct';
  readonly ephemeralDir: string;
  readonly feedsPath: string;
  /** Inferences after the first. */
  readonly warm: number;
};

/** What a sample's process measured. */
export type SampleMeasurement = {
  readonly phases: Phases;
  /** What FP32 operations were computed in. */
  readonly inference: InferencePrecision | null;
  /** Inside one operator, as the engine says. */
  readonly threads: number | null;
  readonly steadyMs: readonly number[];
  readonly peakRssBytes: number;
};

/** What a sample's process answers. */
export type SampleAnswer =
  | ({ readonly ok: true } & SampleMeasurement)
  | { readonly ok: false; readonly error: SampleError };
