import { describe, expect, it } from 'vitest';
import { completeBounds, widenBounds } from '../../src/validate/usual-bounds.js';

describe('bounds of a candidate', () => {
  it('are wider for bf16, which keeps 8 bits, and the usual ones else', () => {
    expect(completeBounds({}, 'f32')).toEqual({ rtol: 1e-2, atol: 1e-3 });
    expect(completeBounds({}, 'f16')).toEqual({ rtol: 1e-2, atol: 1e-3 });
    expect(completeBounds({}, 'bf16')).toEqual({ rtol: 5e-2, atol: 2e-2 });
  });

  it('are those that are given, whatever it is computed in', () => {
    const given = { rtol: 0, atol: 1e-6, cosine: 0.9, maxAbs: 1 };
    expect(completeBounds(given, 'bf16')).toEqual(given);
    expect(completeBounds({ atol: 1 }, 'bf16')).toEqual({ rtol: 5e-2, atol: 1 });
  });

  it('that were made for FP32 are widened for bf16 only, and never narrowed', () => {
    const bounds = { rtol: 1e-4, atol: 1, cosine: 0.9999, maxAbs: 2 };
    expect(widenBounds(bounds, 'f32')).toEqual(bounds);
    expect(widenBounds(bounds, 'f16')).toEqual(bounds);
    expect(widenBounds(bounds, 'bf16')).toEqual({ ...bounds, rtol: 5e-2 });
  });
});
