/** How a model's weights and arithmetic are stored; the design's words, in the order of rising change. */
export const precisions = ['fp32', 'fp16-weights', 'fp16'] as const;
/** One of {@link precisions}. */
export type Precision = (typeof precisions)[number];

/** The runtimes an artifact can be made for. */
export const engines = ['onnxruntime'] as const;
/** One of {@link engines}. */
export type Engine = (typeof engines)[number];

/** `single`: one `.onnx`; `external`: a small `.onnx` and one page-aligned data file that is memory-mapped. */
export const layouts = ['single', 'external'] as const;
/** One of {@link layouts}. */
export type Layout = (typeof layouts)[number];

/** What one artifact is: precision × engine × layout. */
export type Variant = {
  readonly id: string;
  readonly precision: Precision;
  readonly engine: Engine;
  readonly layout: Layout;
};

/**
 * Names a variant the way every table, key and folder does.
 *
 * @param parts - Precision, engine and layout of the artifact.
 * @returns The variant with its id, such as `fp16-weights.external`; the default engine is left out of it.
 */
export function nameVariant(parts: Omit<Variant, 'id'>): Variant {
  return { id: `${parts.precision}.${parts.layout}`, ...parts };
}
