import { type OptimisationLevel, usualSession } from '../../lib/session-options.js';
import type { Layout, Variant } from '../../lib/variant.js';
import type { SavedGraph, TuneConfiguration } from './tune-result.js';

/** What a session of onnxruntime has no say on. */
const plain = { modelCache: 'none', isMapped: true } as const;

/**
 * Plans which configurations are tried.
 *
 * Graphs are saved from the artifact's own files only: whatever the storage, a rewritten graph holds FP32 weights. They
 * are opened without rewriting them again, as that is what is to be saved; those with prepacked weights only with
 * prepacking, without which these would not be read. Of OpenVINO's artifacts nothing is saved or rewritten.
 *
 * @param levels - How far graphs are rewritten.
 * @param variant - Which engine opens what.
 * @returns Configurations: the artifact's own files, their expanded form, then saved graphs.
 */
export function planConfigurations(
  levels: readonly OptimisationLevel[],
  { engine, layout }: Pick<Variant, 'engine' | 'layout'>,
): TuneConfiguration[] {
  if (engine === 'openvino') return planForOpenvino(layout);
  const opened = (['own', 'expanded'] as const).flatMap((form) =>
    levels.flatMap((optimisation) =>
      [true, false].map((prepacking) => ({
        form,
        saved: null,
        session: { prepacking, optimisation },
        ...plain,
      })),
    ),
  );
  const saved = planGraphs(levels).flatMap((graph): TuneConfiguration[] =>
    (graph.isPrepacked ? [true] : [true, false]).map((prepacking) => ({
      form: 'own',
      saved: graph,
      session: { prepacking, optimisation: 'disabled' },
      ...plain,
    })),
  );
  return [...opened, ...saved];
}

/** A blob is compiled already, and read as a whole; what is no ONNX is not expanded. */
function planForOpenvino(layout: Layout): TuneConfiguration[] {
  const own = { form: 'own', saved: null, session: usualSession, ...plain } as const;
  if (layout === 'blob') return [own];
  return [
    own,
    ...(['cold', 'warm'] as const).map((modelCache) => ({ ...own, modelCache })),
    { ...own, isMapped: false },
    ...(layout === 'ir' ? [] : [{ ...own, form: 'expanded' } as const]),
  ];
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
 * @returns Such as `own, all, prepacking`, `own, model cache warm` or `saved at all with prepacked weights`.
 */
export function nameConfiguration({ form, saved, session, modelCache, isMapped }: TuneConfiguration): string {
  if (modelCache !== 'none') return `${form}, model cache ${modelCache}`;
  if (!isMapped) return `${form}, files read, not mapped`;
  const prepacking = session.prepacking ? 'prepacking' : 'no prepacking';
  if (saved === null) return `${form}, ${session.optimisation}, ${prepacking}`;
  return saved.isPrepacked
    ? `saved at ${saved.optimisation} with prepacked weights`
    : `saved at ${saved.optimisation}, ${prepacking}`;
}
