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
type Transfer = {
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
   * Says that the receiver held the reply up, so that the link's time until now is lost to it.
   *
   * @param nowMs - Now, on the caller's clock.
   */
  readonly resumeAt: (nowMs: number) => void;
};

/** A link whose rate is shared by every transfer on it. */
export type SharedLink = { readonly begin: (nowMs: number) => Transfer };

/**
 * Makes a link that says when bytes may arrive; it holds no clock and no timer itself.
 *
 * A transfer's next bytes are booked from when its last ones have passed, not from when a timer got round to it:
 * the lateness of timers therefore never adds up, and the achieved rate is the one asked for.
 *
 * @param model - Latency and rate.
 * @returns The link.
 */
export function makeSharedLink(model: LinkModel): SharedLink {
  let freeAtMs = Number.NEGATIVE_INFINITY;
  return {
    begin: (nowMs) => {
      let readyAtMs = nowMs + model.latencyMs;
      return {
        firstByteAtMs: readyAtMs,
        send: (sizeBytes) => {
          readyAtMs = Math.max(readyAtMs, freeAtMs) + (sizeBytes * 1000) / model.bytesPerSecond;
          freeAtMs = readyAtMs;
          return readyAtMs;
        },
        resumeAt: (resumedMs) => {
          readyAtMs = Math.max(readyAtMs, resumedMs);
        },
      };
    },
  };
}
