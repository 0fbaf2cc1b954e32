import type { InferencePrecision } from '../lib/variant.js';
import type { ParityBounds } from './parity-result.js';

/** Bounds as they are asked for, as many of them as there are. */
export type AskedBounds = { readonly [Name in keyof ParityBounds]?: ParityBounds[Name] | undefined };

/** bf16 keeps 8 bits of each number, so that half a percent is lost in every single operation. */
const usual = {
  f32: { rtol: 1e-2, atol: 1e-3 },
  f16: { rtol: 1e-2, atol: 1e-3 },
  bf16: { rtol: 5e-2, atol: 2e-2 },
} as const satisfies Record<InferencePrecision, ParityBounds>;

/**
 * Fills in what is not said of bounds.
 *
 * @param asked - The bounds as asked for.
 * @param inference - What the candidate is computed in.
 * @returns The bounds to judge by.
 */
export function completeBounds(asked: AskedBounds, inference: InferencePrecision): ParityBounds {
  const { rtol = usual[inference].rtol, atol = usual[inference].atol, cosine, maxAbs } = asked;
  return { rtol, atol, cosine, maxAbs };
}

/**
 * Widens bounds that were made for FP32 arithmetic as far as what computes with fewer bits needs; bounds that are wide
 * enough, and those of whole outputs (`cosine`, `maxAbs`), stay as they are.
 *
 * @param bounds - For a candidate that computes in f32.
 * @param inference - What this candidate is computed in.
 * @returns The bounds for it.
 */
export function widenBounds(bounds: ParityBounds, inference: InferencePrecision): ParityBounds {
  if (inference !== 'bf16') return bounds;
  const { rtol, atol } = usual.bf16;
  return { ...bounds, rtol: Math.max(bounds.rtol, rtol), atol: Math.max(bounds.atol, atol) };
}
