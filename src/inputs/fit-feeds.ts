import { encodeHalf } from '../half/encode-half.js';
import type { NamedTensors, Tensor, ValueSpec } from '../lib/tensor.js';

/** A feed that was rounded from FP32 to FP16. */
export type RoundedFeed = {
  readonly name: string;
  /** Finite numbers that became infinite. */
  readonly overflowCount: number;
};

/** Feeds as a model takes them, and which of them had to be rounded for it. */
export type FittedFeeds = { readonly feeds: NamedTensors; readonly rounded: readonly RoundedFeed[] };

/**
 * Fits feeds that were made for a source model to a variant of it whose inputs may have become FP16. Nothing else is
 * changed: what does not fit otherwise is for the runtime to refuse.
 *
 * @param feeds - Tensors of the source model's types.
 * @param inputs - What the variant declares.
 * @returns The feeds, float32 rounded to nearest even where the variant takes float16; the others are the same objects.
 */
export function fitFeeds(feeds: NamedTensors, inputs: readonly ValueSpec[]): FittedFeeds {
  const halves = new Set(inputs.filter(({ type }) => type === 'float16').map(({ name }) => name));
  const rounded: RoundedFeed[] = [];
  const fitted = Object.entries(feeds).map(([name, feed]): [string, Tensor] => {
    const { type, dims, data } = feed;
    if (!halves.has(name) || type !== 'float32' || !(data instanceof Float32Array)) return [name, feed];
    const bits = new Uint16Array(data.length);
    rounded.push({ name, overflowCount: encodeHalf(data, bits).overflowCount });
    return [name, { type: 'float16', dims, data: bits }];
  });
  return { feeds: Object.fromEntries(fitted), rounded };
}
