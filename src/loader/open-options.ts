import { tmpdir } from 'node:os';
import { type Delivery, deliveries } from '../lib/delivery.js';
import { optimisationLevels, type SessionOptions } from '../lib/session-options.js';
import { OptimiseModelError } from '../messages/error.js';
import { type ColdStartLog, printOnLambda } from './cold-start-log.js';

/** How a model is opened; everything left out follows the release, or the defaults named here. */
export type OpenOptions = {
  /** Default: the published one; without a release `layer` for a local artifact, `url` for one of a web server, else `s3-copy`. */
  readonly delivery?: Delivery;
  /** Id of another variant of the release, such as `fp32.single`. */
  readonly variant?: string;
  /**
   * Name of the release to open instead of the current one; a source that names another release, or an artifact, is an
   * error then. Default: `OPTIMISE_MODEL_RELEASE`, which gives way to such a source; else the current one.
   */
  readonly release?: string;
  /** Threads inside one operator; default: the published number, else what the CPU quota allows. */
  readonly threads?: number;
  /** Session options that differ from those of the release; for a variant of onnxruntime alone. */
  readonly session?: Partial<SessionOptions>;
  /** Where downloads go; default: the system's temporary folder, which is `/tmp` on Lambda. */
  readonly ephemeralDir?: string;
  /** Folder with the artifact for delivery `layer`; default: the source itself if it is local. */
  readonly layerDir?: string;
  /**
   * Whether `mount` copies the files first, verified, or opens them where they are, where only sizes and digest are
   * compared; default `copy`.
   */
  readonly mountMode?: 'copy' | 'direct';
  /**
   * Folder in which OpenVINO keeps what it has compiled of a model, for the next process: one that outlives this one, such as
   * on EFS. Only for a variant of openvino that is not compiled already, by `layer`, `lazy`, or `mount` opened directly.
   * What it holds is bound to OpenVINO's version and the processor. Default: nothing is kept.
   */
  readonly modelCacheDir?: string;
  /** SHA-256 that a bare model file must have, 64 hexadecimal digits; default: what the model hub says of it, if it does. */
  readonly sha256?: string;
  /** Bytes per ranged request; default 8 MiB. */
  readonly partSizeBytes?: number;
  /** Ranged requests at a time; default 4. */
  readonly concurrency?: number;
  /** Gets one record per cold start, failed ones included; default: one JSON line on stdout, on Lambda only. */
  readonly onLog?: (log: ColdStartLog) => void;
};

/** A release that a handler is pinned to. */
export type ReleasePin = {
  readonly name: string;
  /** Who says so: the option, or the variable. */
  readonly by: 'release' | typeof releaseVariable;
};

const releaseVariable = 'OPTIMISE_MODEL_RELEASE';
const releaseName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** {@link OpenOptions} after defaults; null where the release or the source decides. */
export type ResolvedOpenOptions = {
  readonly delivery: Delivery | null;
  readonly variant: string | null;
  readonly release: ReleasePin | null;
  readonly threads: number | null;
  readonly session: Partial<SessionOptions>;
  readonly ephemeralDir: string;
  readonly layerDir: string | null;
  readonly mountMode: 'copy' | 'direct';
  readonly modelCacheDir: string | null;
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
 * @throws `open-option-unknown`, `delivery-unknown`, `open-option-wrong`.
 */
export function resolveOpenOptions(
  options: OpenOptions,
  environment: NodeJS.ProcessEnv = process.env,
): ResolvedOpenOptions {
  const resolved = {
    delivery: options.delivery === undefined ? null : checkDelivery(options.delivery),
    variant: options.variant ?? null,
    release: findPin(options.release, environment),
    threads: options.threads === undefined ? null : checkCount('threads', options.threads),
    session: checkSession(options.session ?? {}),
    ephemeralDir: options.ephemeralDir ?? tmpdir(),
    layerDir: options.layerDir ?? null,
    mountMode: checkMountMode(options.mountMode ?? 'copy'),
    modelCacheDir: options.modelCacheDir ?? null,
    sha256: options.sha256 === undefined ? null : checkSha256(options.sha256),
    partSizeBytes: checkCount('partSizeBytes', options.partSizeBytes ?? 8 * 1024 * 1024),
    concurrency: checkCount('concurrency', options.concurrency ?? 4),
    onLog: options.onLog ?? printOnLambda,
  };
  refuseUnknown(options, Object.keys(resolved));
  return resolved;
}

/**
 * Refuses an option.
 *
 * @param option - Its name.
 * @param seen - What it is.
 * @param expected - What was expected of it, or what it is for.
 * @param cause - What was thrown, if anything was.
 * @throws `open-option-wrong`.
 */
export function refuse(option: string, seen: string, expected: string, cause?: unknown): never {
  throw OptimiseModelError.of('open-option-wrong', { option, seen, expected }, cause);
}

/** A mistyped `release` would open what is current, without a word. */
function refuseUnknown(given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw OptimiseModelError.of('open-option-unknown', { unknown, known });
}

function checkDelivery(delivery: string): Delivery {
  const known = deliveries.find((each) => each === delivery);
  if (known !== undefined) return known;
  throw OptimiseModelError.of('delivery-unknown', { delivery, known: deliveries });
}

function findPin(option: string | undefined, environment: NodeJS.ProcessEnv): ReleasePin | null {
  const named = option ?? environment[releaseVariable];
  if (option === undefined && !named) return null;
  const name = named ?? '';
  const by = option === undefined ? releaseVariable : 'release';
  if (releaseName.test(name)) return { name, by };
  return refuse(by, JSON.stringify(name), 'the name of a release, as `optimise-model publish` printed it');
}

function checkSession(session: Partial<SessionOptions>): Partial<SessionOptions> {
  refuseUnknown(session, ['prepacking', 'optimisation']);
  const { prepacking, optimisation } = session;
  if (!['undefined', 'boolean'].includes(typeof prepacking)) {
    refuse('session.prepacking', JSON.stringify(prepacking), 'true or false');
  }
  if (optimisation !== undefined && !optimisationLevels.includes(optimisation)) {
    refuse('session.optimisation', JSON.stringify(optimisation), `one of ${optimisationLevels.join(', ')}`);
  }
  return {
    ...(prepacking === undefined ? {} : { prepacking }),
    ...(optimisation === undefined ? {} : { optimisation }),
  };
}

function checkMountMode(mode: string): 'copy' | 'direct' {
  return mode === 'copy' || mode === 'direct'
    ? mode
    : refuse('mountMode', JSON.stringify(mode), '`copy` or `direct`');
}

function checkSha256(sha256: string): string {
  const digits = sha256.toLowerCase();
  return /^[0-9a-f]{64}$/.test(digits)
    ? digits
    : refuse('sha256', JSON.stringify(sha256.slice(0, 80)), '64 hexadecimal digits');
}

function checkCount(option: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  return refuse(option, String(value), 'an integer of at least 1');
}
