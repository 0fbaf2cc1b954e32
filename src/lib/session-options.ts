/** How much onnxruntime rewrites a graph before it runs it, from nothing to everything. */
export const optimisationLevels = ['disabled', 'basic', 'extended', 'layout', 'all'] as const;
/** One of {@link optimisationLevels}. */
export type OptimisationLevel = (typeof optimisationLevels)[number];

/** What may be chosen about a session besides its threads; it changes speed and memory, not the answer beyond rounding. */
export type SessionOptions = {
  /** Whether weights are copied into the layout that the kernels like best: a slower session, faster inferences. */
  readonly prepacking: boolean;
  readonly optimisation: OptimisationLevel;
};

/** The engine's own defaults. */
export const usualSession: SessionOptions = { prepacking: true, optimisation: 'all' };

/** For the memory-mapped FP32 form that `stream` writes: the session reads nothing that an inference does not need. */
export const mappedSession: SessionOptions = { prepacking: false, optimisation: 'all' };

/** The options of one artifact: opened as it is, and expanded while it is downloaded. */
export type ArtifactSessions = { readonly own: SessionOptions; readonly stream: SessionOptions };

/** What holds for an artifact that nothing was chosen for. */
export const usualSessions: ArtifactSessions = { own: usualSession, stream: mappedSession };
