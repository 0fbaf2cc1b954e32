import { describe, expect, it } from 'vitest';
import { shareOfSteal } from '../../src/lib/steal-share.js';

const phases = { startMs: 10, runtimeMs: 20, downloadMs: 30, sessionMs: 25, firstInferenceMs: 15 };

describe('shareOfSteal', () => {
  it('sets what was stolen against the total and the steady inferences, of all processors', () => {
    expect(shareOfSteal({ phases, steadyMs: [], stealMs: 10 }, 1)).toBe(0.1);
    expect(shareOfSteal({ phases, steadyMs: [60, 40], stealMs: 10 }, 2)).toBe(0.025);
  });

  it('is nothing where nothing is known or measured', () => {
    expect(shareOfSteal({ phases, steadyMs: [], stealMs: null }, 2)).toBe(0);
    expect(shareOfSteal({ phases: null, steadyMs: [], stealMs: 10 }, 2)).toBe(0);
  });
});
