/** The verbs of a run, in the order in which they are done. */
export const runVerbs = ['convert', 'validate', 'check', 'stage', 'bench', 'pick', 'publish'] as const;
/** One of {@link runVerbs}. */
export type RunVerb = (typeof runVerbs)[number];
