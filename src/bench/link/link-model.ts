import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { makeTimeline } from './timeline.js';

/** A link in numbers. */
export type LinkModel = {
  /** From the request's arrival to the first byte of its reply, milliseconds, ≥ 0. */
  readonly latencyMs: number;
  /** Each latency is drawn evenly from this much below to this much above, milliseconds, ≥ 0 and ≤ `latencyMs`. */
  readonly jitterMs: number;
  /** All connections together, bytes per second, > 0. */
  readonly bytesPerSecond: number;
  /** One connection by itself, bytes per second, > 0; null for as much as all together. */
  readonly perConnectionBytesPerSecond: number | null;
};

/** One reply on its way through a {@link SharedLink}. */
export type Transfer = {
  /**
   * When the latency has passed, milliseconds on the caller's clock. Book nothing before: a booking holds the link,
   * which others may use meanwhile.
   */
  readonly firstByteAtMs: number;
  /**
   * Books the next bytes of the reply.
   *
   * @param sizeBytes - How many.
   * @returns When the last of them has passed the link, milliseconds on the caller's clock.
   */
  readonly send: (sizeBytes: number) => number;
  /**
   * Says that sender or receiver held the reply up, so that the link's time until now is lost to it.
   *
   * @param nowMs - Now, on the caller's clock.
   */
  readonly resumeAt: (nowMs: number) => void;
};

/** One connection; its replies pass one after the other. */
export type LinkConnection = {
  /**
   * Begins a reply.
   *
   * @param nowMs - When its request has arrived, on the caller's clock.
   */
  readonly begin: (nowMs: number) => Transfer;
};

/** A link whose rate is shared by every connection on it. */
export type SharedLink = { readonly connect: () => LinkConnection };

/** The same in every run, so that all runs draw the same latencies. */
const jitterSeed = 20;
/** The generator's state starts as little more than the seed. */
const warmUpRounds = 64;

/**
 * Makes a link that says when bytes may arrive; it holds no clock and no timer itself.
 *
 * A transfer's next bytes are booked from when its last ones have passed, not from when a timer got round to it:
 * the lateness of timers therefore never adds up, and the achieved rate is the one asked for.
 *
 * @param model - Latency and rates.
 * @returns The link.
 */
export function makeSharedLink(model: LinkModel): SharedLink {
  const { bytesPerSecond, perConnectionBytesPerSecond: connectionRate } = model;
  const shared = makeTimeline();
  const drawLatencyMs = makeLatencies(model);
  return {
    connect: () => {
      let freeAtMs = Number.NEGATIVE_INFINITY;
      return {
        begin: (nowMs) => {
          const firstByteAtMs = Math.max(nowMs + drawLatencyMs(), freeAtMs);
          return {
            firstByteAtMs,
            send: (sizeBytes) => {
              const fromMs = Math.max(firstByteAtMs, freeAtMs);
              const passedMs = shared.book(fromMs, (sizeBytes * 1000) / bytesPerSecond);
              const alone = connectionRate === null ? 0 : (sizeBytes * 1000) / connectionRate;
              freeAtMs = Math.max(passedMs, fromMs + alone);
              return freeAtMs;
            },
            resumeAt: (resumedMs) => {
              freeAtMs = Math.max(freeAtMs, resumedMs);
            },
          };
        },
      };
    },
  };
}

function makeLatencies({ latencyMs, jitterMs }: LinkModel): () => number {
  const generator = xoroshiro128plus(jitterSeed);
  for (let round = 0; round < warmUpRounds; round += 1) generator.next();
  return () => latencyMs + jitterMs * (2 * uniformFloat64(generator) - 1);
}
