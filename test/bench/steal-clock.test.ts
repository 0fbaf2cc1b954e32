import { describe, expect, it } from 'vitest';
import { startStealClock } from '../../src/bench/steal-clock.js';

const stat = (steal: string) =>
  `cpu  10 20 30 40 50 60 70 ${steal} 0 0\ncpu0 1 2 3 4 5 6 7 999 0 0\nctxt 5\n`;

async function measure(...texts: readonly (string | Error)[]): Promise<number | null> {
  const left = [...texts];
  const clock = await startStealClock(async () => {
    const text = left.shift();
    if (typeof text !== 'string') throw text;
    return text;
  });
  return clock.read();
}

describe('startStealClock', () => {
  it('counts what all processors lost since its start, ms', async () => {
    expect(await measure(stat('100'), stat('107'))).toBe(70);
    expect(await measure(stat('100'), stat('100'))).toBe(0);
  });

  it('knows nothing where the system tells nothing, or began anew', async () => {
    expect(await measure(new Error('ENOENT'), stat('1'))).toBeNull();
    expect(await measure(stat('1'), new Error('ENOENT'))).toBeNull();
    expect(await measure('cpu  1 2 3\n', 'cpu  1 2 3\n')).toBeNull();
    expect(await measure(stat('100'), stat('3'))).toBeNull();
  });

  it.skipIf(process.platform !== 'linux')('reads this machine', async () => {
    expect(await (await startStealClock()).read()).toBeGreaterThanOrEqual(0);
  });
});
