import type { Engine, Variant } from '../lib/variant.js';

/** One file of an artifact; `path` is relative to `artifact.json`, with `/`. */
export type ArtifactFile = {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
};

/** What an artifact was made from and how; no times, so that the same work gives the same record. */
export type Provenance = {
  readonly toolVersion: string;
  /** File name of the source model, without its folder. */
  readonly sourceName: string;
  readonly sourceSizeBytes: number;
  readonly sourceSha256: string;
  /** The options of the conversion that shape the result. */
  readonly options: Readonly<Record<string, string | number | boolean>>;
};

/** What a machine needs to open the artifact. */
export type RuntimeNeed = {
  readonly engine: Engine;
  /** Lowest version of the engine that opens it. */
  readonly minimumVersion: string;
  /** Highest opset of the default domain. */
  readonly opset: number;
  readonly irVersion: number;
};

/** The content of `artifact.json`: what `convert` writes and every other verb reads. */
export type ArtifactRecord = {
  readonly schemaVersion: 1;
  readonly kind: 'artifact';
  readonly variant: Variant;
  /** The file that a session is opened on; one of `files`. */
  readonly entry: string;
  /** All files but `artifact.json`, sorted by path. */
  readonly files: readonly ArtifactFile[];
  /** SHA-256 over the sorted (path, size, SHA-256) list: the artifact's name in a store. */
  readonly digest: string;
  /** Sum of the files, bytes. */
  readonly sizeBytes: number;
  /** What the same model takes with every stored half expanded to FP32, bytes. */
  readonly expandedSizeBytes: number;
  readonly requires: RuntimeNeed;
  readonly provenance: Provenance;
};
