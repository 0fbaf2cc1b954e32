import type { OptimisationLevel } from '../../lib/session-options.js';
import type { SavedGraph, TuneConfiguration } from './tune-result.js';

/**
 * Plans which configurations are tried.
 *
 * Graphs are saved from the artifact's own files only: whatever the storage, a rewritten graph holds FP32 weights. They
 * are opened without rewriting them again, as that is what is to be saved; those with prepacked weights only with
 * prepacking, without which these would not be read.
 *
 * @param levels - How far graphs are rewritten.
 * @returns Configurations: the artifact's own files, their expanded form, then saved graphs.
 */
export function planConfigurations(levels: readonly OptimisationLevel[]): TuneConfiguration[] {
  const opened = (['own', 'expanded'] as const).flatMap((form) =>
    levels.flatMap((optimisation) =>
      [true, false].map((prepacking) => ({ form, saved: null, session: { prepacking, optimisation } })),
    ),
  );
  const saved = planGraphs(levels).flatMap((graph): TuneConfiguration[] =>
    (graph.isPrepacked ? [true] : [true, false]).map((prepacking) => ({
      form: 'own',
      saved: graph,
      session: { prepacking, optimisation: 'disabled' },
    })),
  );
  return [...opened, ...saved];
}

/**
 * Plans which graphs are saved beforehand.
 *
 * @param levels - How far graphs are rewritten; nothing is to be saved where they are not.
 * @returns Two per level: with and without prepacked weights.
 */
export function planGraphs(levels: readonly OptimisationLevel[]): SavedGraph[] {
  return levels
    .filter((optimisation) => optimisation !== 'disabled')
    .flatMap((optimisation) => [false, true].map((isPrepacked) => ({ optimisation, isPrepacked })));
}

/**
 * Names a configuration in a few words.
 *
 * @param configuration - Form, saved graph and options.
 * @returns Such as `own, all, prepacking` or `saved at all with prepacked weights`.
 */
export function nameConfiguration({ form, saved, session }: TuneConfiguration): string {
  const prepacking = session.prepacking ? 'prepacking' : 'no prepacking';
  if (saved === null) return `${form}, ${session.optimisation}, ${prepacking}`;
  return saved.isPrepacked
    ? `saved at ${saved.optimisation} with prepacked weights`
    : `saved at ${saved.optimisation}, ${prepacking}`;
}
