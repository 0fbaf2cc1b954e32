/** The six metrics of the study, in its order: what passes before the load, the parts, and the sums. */
export const studyMetricNames = [
  'callingToLoadModelMs',
  'loadModelMs',
  'initialInferenceMs',
  'approxInferenceTimeMs',
  'callingLoadSumMs',
  'totalMetricMs',
] as const;
