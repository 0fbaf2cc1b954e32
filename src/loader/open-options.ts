import { tmpdir } from 'node:os';
import { type Delivery, deliveries } from '../lib/delivery.js';
import type { SessionOptions } from '../lib/session-options.js';
import { OptimiseModelError } from '../messages/error.js';
import { type ColdStartLog, printOnLambda } from './cold-start-log.js';

/** How a model is opened; everything left out follows the release, or the defaults named here. */
export type OpenOptions = {
  /** Default: the published one; without a release `layer` for a local artifact, else `s3-copy`. */
  readonly delivery?: Delivery;
  /** Id of another variant of the release, such as `fp32.single`. */
  readonly variant?: string;
  /** Name of the release to open where the source names none; default: `OPTIMISE_MODEL_RELEASE`, else the current one. */
  readonly release?: string;
  /** Threads inside one operator; default: the published number, else what the CPU quota allows. */
  readonly threads?: number;
  /** Session options that differ from those of the release. */
  readonly session?: Partial<SessionOptions>;
  /** Where downloads go; default: the system's temporary folder, which is `/tmp` on Lambda. */
  readonly ephemeralDir?: string;
  /** Folder with the artifact for delivery `layer`; default: the source itself if it is local. */
  readonly layerDir?: string;
  /** Whether `mount` copies the files first or opens them where they are; default `copy`. */
  readonly mountMode?: 'copy' | 'direct';
  /** SHA-256 that a bare model file must have, 64 hexadecimal digits; default: what the server says of it, if it does. */
  readonly sha256?: string;
  /** Bytes per ranged request; default 8 MiB. */
  readonly partSizeBytes?: number;
  /** Ranged requests at a time; default 4. */
  readonly concurrency?: number;
  /** Gets one record per cold start, failed ones included; default: one JSON line on stdout, on Lambda only. */
  readonly onLog?: (log: ColdStartLog) => void;
};

/** {@link OpenOptions} after defaults; null where the release or the source decides. */
export type ResolvedOpenOptions = {
  readonly delivery: Delivery | null;
  readonly variant: string | null;
  readonly release: string | null;
  readonly threads: number | null;
  readonly session: Partial<SessionOptions>;
  readonly ephemeralDir: string;
  readonly layerDir: string | null;
  readonly mountMode: 'copy' | 'direct';
  readonly sha256: string | null;
  readonly partSizeBytes: number;
  readonly concurrency: number;
  readonly onLog: (log: ColdStartLog) => void;
};

/**
 * Fills in defaults and refuses what cannot be meant.
 *
 * @param options - As the caller gave them.
 * @param environment - Where `OPTIMISE_MODEL_RELEASE` may be set.
 * @returns Options in which nothing is left open but what the release decides.
 * @throws `delivery-unknown`, `open-option-wrong`.
 */
export function resolveOpenOptions(
  options: OpenOptions,
  environment: NodeJS.ProcessEnv = process.env,
): ResolvedOpenOptions {
  return {
    delivery: options.delivery === undefined ? null : checkDelivery(options.delivery),
    variant: options.variant ?? null,
    release: options.release ?? (environment.OPTIMISE_MODEL_RELEASE || null),
    threads: options.threads === undefined ? null : checkCount('threads', options.threads),
    session: options.session ?? {},
    ephemeralDir: options.ephemeralDir ?? tmpdir(),
    layerDir: options.layerDir ?? null,
    mountMode: options.mountMode ?? 'copy',
    sha256: options.sha256 ?? null,
    partSizeBytes: checkCount('partSizeBytes', options.partSizeBytes ?? 8 * 1024 * 1024),
    concurrency: checkCount('concurrency', options.concurrency ?? 4),
    onLog: options.onLog ?? printOnLambda,
  };
}

function checkDelivery(delivery: string): Delivery {
  const known = deliveries.find((each) => each === delivery);
  if (known !== undefined) return known;
  throw OptimiseModelError.of('delivery-unknown', { delivery, known: deliveries });
}

function checkCount(option: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw OptimiseModelError.of('open-option-wrong', {
    option,
    seen: String(value),
    expected: 'an integer of at least 1',
  });
}
