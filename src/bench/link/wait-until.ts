import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Timers have whole milliseconds and come up to about so much late. */
const timerGrainMs = 1.5;

/**
 * Waits until a moment, never less: timers cut fractions off, and bytes must not arrive before a link would have them.
 *
 * @param atMs - The moment, on the clock of `performance.now()`.
 * @param isExact - Spends the processor's time for the last moments instead of coming about a millisecond late. For the
 *   first and the last byte of a reply, whose lateness would add up over replies; not for all that lie between.
 */
export async function waitUntil(atMs: number, isExact: boolean): Promise<void> {
  for (;;) {
    const leftMs = atMs - performance.now();
    if (leftMs <= 0) return;
    if (!isExact) await sleep(Math.ceil(leftMs));
    else if (leftMs > timerGrainMs) await sleep(Math.floor(leftMs - timerGrainMs) || 1);
    else await nextTurn();
  }
}
