/** How a model's weights and arithmetic are stored; the design's words, in the order of rising change. */
export const precisions = ['fp32', 'fp16-weights', 'fp16'] as const;
/** One of {@link precisions}. */
export type Precision = (typeof precisions)[number];

/** The runtimes an artifact can be made for, the one that needs nothing else installed first. */
export const engines = ['onnxruntime', 'openvino'] as const;
/** One of {@link engines}. */
export type Engine = (typeof engines)[number];

/**
 * `single`: one `.onnx`; `external`: a small `.onnx` and one page-aligned data file that is memory-mapped; `ir`:
 * OpenVINO's `.xml` and `.bin`; `blob`: a model that OpenVINO has compiled. The simplest first.
 */
export const layouts = ['single', 'external', 'ir', 'blob'] as const;
/** One of {@link layouts}. */
export type Layout = (typeof layouts)[number];

/** What an engine computes FP32 operations in; below `f32` it rounds on the way, and only some processors can. */
export const inferencePrecisions = ['f32', 'bf16', 'f16'] as const;
/** One of {@link inferencePrecisions}. */
export type InferencePrecision = (typeof inferencePrecisions)[number];

/** What one artifact is: precision × engine × layout × what FP32 is computed in. */
export type Variant = {
  readonly id: string;
  readonly precision: Precision;
  readonly engine: Engine;
  readonly layout: Layout;
  readonly inference: InferencePrecision;
};

/**
 * Names a variant the way every table, key and folder does.
 *
 * @param parts - Precision, engine and layout of the artifact, and what it is computed in.
 * @returns The variant with its id, such as `fp16-weights.external` or `fp16-weights.openvino.ir.bf16`; the default
 *   engine and FP32 arithmetic are left out of it.
 */
export function nameVariant(parts: Omit<Variant, 'id'>): Variant {
  const { precision, engine, layout, inference } = parts;
  const words = [
    precision,
    ...(engine === 'onnxruntime' ? [] : [engine]),
    layout,
    ...(inference === 'f32' ? [] : [inference]),
  ];
  return { id: words.join('.'), precision, engine, layout, inference };
}

/**
 * Says which layout is meant where none is named.
 *
 * @param engine - The engine.
 * @returns `ir` for OpenVINO, else `single`.
 */
export function usualLayout(engine: Engine): Layout {
  return engine === 'openvino' ? 'ir' : 'single';
}

/**
 * Names what may come of a variant that is asked for: what does not fit into one file becomes `external`.
 *
 * @param parts - Precision, engine, layout and arithmetic that are asked for.
 * @returns Its id, and the other one it may get.
 */
export function namePossible(parts: Omit<Variant, 'id'>): readonly string[] {
  const layouts: readonly Layout[] = parts.layout === 'single' ? ['single', 'external'] : [parts.layout];
  return layouts.map((layout) => nameVariant({ ...parts, layout }).id);
}

/**
 * Tells whether there can be such a variant.
 *
 * @param parts - Precision, engine, layout and arithmetic.
 * @returns Why not, one clause; undefined when there can.
 */
export function findVariantProblem(parts: Omit<Variant, 'id'>): string | undefined {
  const { precision, engine, layout, inference } = parts;
  const isOfOpenvino = layout === 'ir' || layout === 'blob';
  if (engine === 'onnxruntime' && isOfOpenvino) return `${layout} is a layout of openvino`;
  if (engine === 'onnxruntime' && inference !== 'f32')
    return `onnxruntime computes FP32 operations in f32, ${inference} is for openvino`;
  if (isOfOpenvino && precision === 'fp16')
    return `${layout} stores fp32 or fp16-weights; what it is computed in is said by \`inference\``;
  return undefined;
}
