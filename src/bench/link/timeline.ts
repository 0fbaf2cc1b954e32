/** Time of one thing that serves many, such as a link; no moment of it is given away twice. */
export type Timeline = {
  /**
   * Takes the first free time there is.
   *
   * @param fromMs - Not before this, milliseconds on the caller's clock.
   * @param durationMs - How much of it, ≥ 0; it may be taken in several pieces.
   * @returns The end of the last piece; `fromMs` for no time.
   */
  readonly book: (fromMs: number, durationMs: number) => number;
};

type Gap = { fromMs: number; toMs: number };

/** Gaps so old that nobody is late enough to use them are forgotten. */
const mostGaps = 64;

/**
 * Makes a timeline that is all free.
 *
 * It remembers what was left idle: who comes late, with time that is due to him already, still gets that time instead of
 * queueing behind those whose turn is later. Without this, connections that are each slower than the link would hold one
 * another up.
 *
 * @returns The timeline.
 */
export function makeTimeline(): Timeline {
  let freeFromMs = Number.NEGATIVE_INFINITY;
  let gaps: Gap[] = [];
  const takeGaps = (fromMs: number, durationMs: number): { leftMs: number; endMs: number } => {
    let leftMs = durationMs;
    let endMs = fromMs;
    const kept: Gap[] = [];
    for (const gap of gaps) {
      const startMs = Math.max(gap.fromMs, fromMs);
      const takenMs = Math.min(leftMs, gap.toMs - startMs);
      if (takenMs <= 0) {
        kept.push(gap);
        continue;
      }
      leftMs -= takenMs;
      endMs = startMs + takenMs;
      if (gap.fromMs < startMs) kept.push({ fromMs: gap.fromMs, toMs: startMs });
      if (endMs < gap.toMs) kept.push({ fromMs: endMs, toMs: gap.toMs });
    }
    gaps = kept;
    return { leftMs, endMs };
  };
  return {
    book: (fromMs, durationMs) => {
      if (durationMs <= 0) return fromMs;
      const { leftMs, endMs } =
        fromMs < freeFromMs ? takeGaps(fromMs, durationMs) : { leftMs: durationMs, endMs: fromMs };
      if (leftMs <= 0) return endMs;
      const startMs = Math.max(fromMs, freeFromMs);
      if (startMs > freeFromMs && Number.isFinite(freeFromMs))
        gaps = [...gaps, { fromMs: freeFromMs, toMs: startMs }].slice(-mostGaps);
      freeFromMs = startMs + leftMs;
      return freeFromMs;
    },
  };
}
