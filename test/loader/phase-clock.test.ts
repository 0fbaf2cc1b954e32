import { describe, expect, it } from 'vitest';
import { completePhases, makePhaseClock } from '../../src/loader/phase-clock.js';

function tickingClock(...timesMs: number[]): () => number {
  return () => timesMs.shift() ?? Number.NaN;
}

describe('makePhaseClock', () => {
  it('adds the parts of a phase up', async () => {
    const clock = makePhaseClock(5, tickingClock(10, 14, 20, 21));
    await clock.measure('downloadMs', async () => undefined);
    await clock.measure('downloadMs', async () => undefined);
    expect(clock.read()).toMatchObject({ startMs: 5, downloadMs: 5, sessionMs: null });
  });

  it('hands the result through and counts no failed work', async () => {
    const clock = makePhaseClock(5, tickingClock(10, 14, 20));
    expect(await clock.measure('runtimeMs', async () => 'done')).toBe('done');
    const failing = clock.measure('sessionMs', () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(clock.read()).toMatchObject({ runtimeMs: 4, sessionMs: null });
  });
});

describe('completePhases', () => {
  it('gives phases only when none is missing; 0 is a measurement', () => {
    const measured = { startMs: 1, runtimeMs: 2, downloadMs: 0, sessionMs: 3, firstInferenceMs: 4 };
    expect(completePhases(measured)).toEqual(measured);
    expect(completePhases({ ...measured, firstInferenceMs: null })).toBeNull();
  });
});
