import type { ModelSource } from '../runtimes/runtime.js';
import type { ArtifactChoice } from './choose-artifact.js';
import type { ResolvedOpenOptions } from './open-options.js';

/** A model's bytes, ready for a session, and how to let go of them. */
export type BroughtModel = {
  readonly source: ModelSource;
  /** Removes what was put on disk; called once, after the session is closed or has failed. */
  readonly discard: () => Promise<void>;
};

/** Brings the bytes of an artifact to where a session can be opened on them, and leaves nothing when it fails. */
export type BringBytes = (choice: ArtifactChoice, options: ResolvedOpenOptions) => Promise<BroughtModel>;
