import type { ModelSource } from '../runtimes/runtime.js';
import type { ArtifactChoice } from './choose-artifact.js';
import type { ResolvedOpenOptions } from './open-options.js';

/** A model's bytes, ready for a session, and how to let go of them. */
export type BroughtModel = {
  readonly source: ModelSource;
  /** Whether files that an earlier load had verified and left were taken instead of being downloaded again. */
  readonly isReused: boolean;
  /** What the expanded form takes on disk, bytes; null for whatever is opened as it was staged. */
  readonly expandedSizeBytes: number | null;
  /** Removes what was put on disk; called once, after the session is closed or has failed. */
  readonly discard: () => Promise<void>;
};

/** Brings the bytes of an artifact to where a session can be opened on them, and leaves nothing when it fails. */
export type BringBytes = (choice: ArtifactChoice, options: ResolvedOpenOptions) => Promise<BroughtModel>;

/**
 * Says that nothing was put on disk: the bytes are where they were, or in memory.
 *
 * @param source - Where a session finds them.
 * @returns The model, with nothing to remove.
 */
export function broughtInPlace(source: ModelSource): BroughtModel {
  return { source, isReused: false, expandedSizeBytes: null, discard: async () => undefined };
}
