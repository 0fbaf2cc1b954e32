import type { Finding } from '../../messages/finding.js';
import type { UploadSweep } from '../../store/store.js';

/** What became of something that nothing refers to. */
type PruneOutcome =
  /** A dry run: it would be removed. */
  | 'planned'
  | 'removed'
  /** It was to be removed, and was in use when it came to that. */
  | 'kept';

/** A release document that is older than those that are kept. */
export type PrunedRelease = {
  readonly release: string;
  readonly outcome: PruneOutcome;
  /** Why it was kept; null for the other outcomes. */
  readonly reason: string | null;
};

/** An artifact's folder that no release refers to. */
export type PrunedFolder = {
  readonly digest: string;
  readonly objects: number;
  readonly sizeBytes: number;
  /** When its newest object was written, ISO 8601, UTC. */
  readonly newestAt: string;
  readonly outcome: PruneOutcome;
  /** Why it was kept; null for the other outcomes. */
  readonly reason: string | null;
};

/** What there was to prune of one model. */
export type PrunedModel = {
  readonly name: string;
  /** Why nothing of it may be removed; empty otherwise. */
  readonly refusals: readonly string[];
  readonly releases: readonly PrunedRelease[];
  readonly folders: readonly PrunedFolder[];
  /** Folders that no release refers to either, and that are within the grace or belong to a running upload. */
  readonly spared: { readonly folders: number; readonly sizeBytes: number };
};

/** What there was to prune. */
export type PruneResult = {
  readonly storeUrl: string;
  /** Whether anything was removed, or only looked at. */
  readonly isDryRun: boolean;
  readonly graceMs: number;
  /** Newest releases that are kept; null for all. */
  readonly keep: number | null;
  readonly models: readonly PrunedModel[];
  /** Multipart uploads that nobody will complete; removed, or to be, where `refusal` is null. */
  readonly abandoned: UploadSweep['abandoned'];
  /** Release documents that were removed, or would be. */
  readonly releases: number;
  /** Artifacts that were removed, or would be. */
  readonly artifacts: number;
  /** Objects of these artifacts. */
  readonly objects: number;
  /** Bytes of these objects. */
  readonly sizeBytes: number;
  /** Interrupted uploads whose parts were removed, or would be. */
  readonly uploads: number;
  readonly findings: readonly Finding[];
};
