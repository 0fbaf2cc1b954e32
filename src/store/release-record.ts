import { type Delivery, deliveries } from '../lib/delivery.js';
import {
  type ArtifactSessions,
  optimisationLevels,
  type SessionOptions,
  usualSessions,
} from '../lib/session-options.js';
import { type ArtifactSummary, checkArtifactSummary } from './artifact-record.js';
import { type Fields, RecordReader } from './record-fields.js';

/** What a release ships: one artifact, how it reaches the process, and how its session runs. */
export type ChosenArtifact = {
  readonly digest: string;
  readonly variantId: string;
  readonly delivery: Delivery;
  /** Threads inside one operator; null leaves it to the loader. */
  readonly threads: number | null;
};

/** More than any machine has; the engine would try to start as many as it is told. */
const mostThreads = 1024;

/** What a check said, in one sentence. */
export type Judgement = { readonly verdict: string; readonly reason: string };

/** Benchmark medians of one delivery, milliseconds; null where it was not measured or cannot be compared. */
export type BenchSummary = {
  readonly delivery: Delivery;
  readonly runs: number;
  readonly medianTotalMs: number | null;
  readonly medianReadyMs: number | null;
  readonly medianSteadyMs: number | null;
};

/** One artifact of a release with what is known of it. */
export type ReleasedArtifact = {
  readonly digest: string;
  /** Without the plan of its expansion, which a handler that copies files need not read. */
  readonly record: ArtifactSummary;
  /** How its sessions are opened. */
  readonly sessions: ArtifactSessions;
  readonly parity: Judgement | null;
  readonly budgets: readonly (Judgement & { readonly delivery: Delivery })[];
  readonly bench: readonly BenchSummary[];
};

/** The content of `releases/RELEASE.json`: written once by `publish`, read by the loader. */
export type ReleaseRecord = {
  readonly schemaVersion: 1;
  readonly kind: 'release';
  readonly name: string;
  readonly release: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly toolVersion: string;
  readonly chosen: ChosenArtifact;
  /** Why it was chosen, one sentence. */
  readonly reason: string;
  readonly artifacts: readonly ReleasedArtifact[];
};

/** The content of `current.json`: the release that handlers open. */
export type CurrentRecord = {
  readonly schemaVersion: 1;
  readonly kind: 'current';
  readonly name: string;
  readonly release: string;
  /** Where the release is, relative to `current.json`. */
  readonly releaseKey: string;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
  /** Releases that were current before, the last first; where it is missing, that is not known. */
  readonly previousReleases?: readonly string[];
};

const releaseNamePattern = /^[A-Za-z0-9._-]+$/;

/** One artifact of a release, as far as it is opened. */
type OpenableArtifact = Pick<ReleasedArtifact, 'digest' | 'record' | 'sessions'>;

/** What opening a release needs of it. */
export type OpenableRelease<Artifact = OpenableArtifact> = Pick<
  ReleaseRecord,
  'name' | 'release' | 'chosen'
> & { readonly artifacts: readonly Artifact[] };

/**
 * Reads a release document to open it, trusting none of what that needs. What else it says of its artifacts is not looked
 * at, so that nothing of it keeps a handler from starting.
 *
 * @param text - JSON text.
 * @param where - Its address, for messages.
 * @returns The release.
 * @throws `record-wrong` naming the first field that is wrong.
 */
export function parseOpenableRelease(text: string, where: string): OpenableRelease {
  const reader = new RecordReader(where);
  return checkOpenableRelease(reader.open(text, 'release'), reader, checkOpenableArtifact);
}

/**
 * Checks what opening a release needs of it.
 *
 * @param fields - The release's fields.
 * @param reader - Refuses the document.
 * @param check - Checks one artifact, at least as {@link checkOpenableArtifact} does.
 * @returns The release, with its artifacts as `check` returns them.
 * @throws `record-wrong`.
 */
export function checkOpenableRelease<Artifact extends OpenableArtifact>(
  fields: Fields,
  reader: RecordReader,
  check: (item: unknown, reader: RecordReader) => Artifact,
): OpenableRelease<Artifact> {
  const artifacts = reader.list(fields.artifacts, '`artifacts`').map((item) => check(item, reader));
  const chosen = checkChosen(reader.fields(fields.chosen, '`chosen`'), reader);
  const named = artifacts.find((artifact) => artifact.digest === chosen.digest);
  if (named?.record.variant.id !== chosen.variantId) reader.refuse('`chosen` is not one of `artifacts`');
  return {
    name: reader.text(fields.name, '`name`'),
    release: reader.text(fields.release, '`release`'),
    chosen,
    artifacts,
  };
}

/**
 * Reads a `current.json`.
 *
 * @param text - JSON text.
 * @param where - Its address, for messages.
 * @returns What it points to.
 * @throws `record-wrong` naming the first field that is wrong.
 */
export function parseCurrentRecord(text: string, where: string): CurrentRecord {
  const reader = new RecordReader(where);
  const fields = reader.open(text, 'current');
  const releaseKey = reader.text(fields.releaseKey, '`releaseKey`');
  if (!/^releases\/[A-Za-z0-9._-]+\.json$/.test(releaseKey)) {
    reader.refuse(`\`releaseKey\` is "${releaseKey}", expected releases/RELEASE.json`);
  }
  const release = reader.text(fields.release, '`release`');
  reader.choice(releaseKey, '`releaseKey`', [`releases/${release}.json`]);
  const previous = fields.previousReleases;
  return {
    schemaVersion: 1,
    kind: 'current',
    name: reader.text(fields.name, '`name`'),
    release,
    releaseKey,
    updatedAt: reader.text(fields.updatedAt, '`updatedAt`'),
    ...(previous === undefined ? {} : { previousReleases: checkNames(previous, reader) }),
  };
}

function checkNames(value: unknown, reader: RecordReader): readonly string[] {
  return reader.list(value, '`previousReleases`').map((item) => {
    const name = reader.text(item, 'an item of `previousReleases`');
    return releaseNamePattern.test(name)
      ? name
      : reader.refuse(`\`previousReleases\` has "${name}", expected names of releases`);
  });
}

function checkChosen(chosen: Fields, reader: RecordReader): ChosenArtifact {
  const threads = chosen.threads;
  return {
    digest: reader.sha256(chosen.digest, '`chosen.digest`'),
    variantId: reader.text(chosen.variantId, '`chosen.variantId`'),
    delivery: reader.choice(chosen.delivery, '`chosen.delivery`', deliveries),
    threads: threads === null ? null : checkThreads(threads, reader),
  };
}

function checkThreads(value: unknown, reader: RecordReader): number {
  const threads = reader.count(value, '`chosen.threads`', mostThreads);
  return threads >= 1 ? threads : reader.refuse('`chosen.threads` is 0, expected at least 1, or null');
}

/**
 * Checks what opening an artifact of a release needs of it.
 *
 * @param item - The artifact.
 * @param reader - Refuses the document.
 * @returns The artifact.
 * @throws `record-wrong`.
 */
export function checkOpenableArtifact(item: unknown, reader: RecordReader): OpenableArtifact {
  const fields = reader.fields(item, 'an item of `artifacts`');
  const record = checkArtifactSummary(reader.fields(fields.record, '`record`'), reader);
  reader.choice(fields.digest, '`digest`', [record.digest]);
  return { digest: record.digest, record, sessions: checkSessions(fields.sessions, reader) };
}

/** Releases of 0.1 do not have them. */
function checkSessions(value: unknown, reader: RecordReader): ArtifactSessions {
  if (value === undefined) return usualSessions;
  const { own, stream } = reader.fields(value, '`sessions`');
  return { own: checkSession(own, 'own', reader), stream: checkSession(stream, 'stream', reader) };
}

function checkSession(value: unknown, name: string, reader: RecordReader): SessionOptions {
  const { prepacking, optimisation } = reader.fields(value, `\`sessions.${name}\``);
  if (typeof prepacking !== 'boolean') return reader.refuse(`\`sessions.${name}.prepacking\` is no boolean`);
  const level = reader.choice(optimisation, `\`sessions.${name}.optimisation\``, optimisationLevels);
  return { prepacking, optimisation: level };
}
