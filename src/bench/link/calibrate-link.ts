import { type LinkModel, makeSharedLink, type SharedLink } from './link-model.js';
import { measureLatencies } from './measure-link.js';

/** Long enough to hide what a server behind a shaper needs to answer. */
const trialLatencyMs = 3;
/** The first requests are slower than all that follow: the code is still being compiled. */
const [warmUpRequests, requests] = [50, 20];

/** What a shaper starts with, to be calibrated by. */
export const trialLink: LinkModel = {
  latencyMs: trialLatencyMs,
  jitterMs: 0,
  bytesPerSecond: 1e12,
  perConnectionBytesPerSecond: null,
};

/**
 * Makes a link whose latency is what a client sees: what shaper and loopback interface need themselves is part of it
 * instead of coming on top, some tenths of a millisecond.
 *
 * @param endpoint - Address of the shaper, which still applies the {@link trialLink}.
 * @param model - The link that it is to apply from now on.
 * @returns The link; no first byte is due before its request has arrived.
 * @throws Whatever the connection does.
 */
export async function calibrateLink(endpoint: string, model: LinkModel): Promise<SharedLink> {
  const link = makeSharedLink(model);
  if (model.latencyMs === 0) return link;
  const seen = await measureLatencies(endpoint, warmUpRequests + requests);
  // The least of them: a busy machine makes single ones late.
  const ownMs = Math.min(...seen.slice(warmUpRequests)) - trialLatencyMs;
  const shortest = model.latencyMs - model.jitterMs;
  return startEarlier(link, Math.max(0, Math.min(ownMs, shortest)));
}

/**
 * Lets every latency of a link begin earlier.
 *
 * @param link - The link.
 * @param headStartMs - How much, milliseconds, ≥ 0.
 * @returns The link with it.
 */
export function startEarlier(link: SharedLink, headStartMs: number): SharedLink {
  return {
    connect: () => {
      const connection = link.connect();
      return { begin: (nowMs) => connection.begin(nowMs - headStartMs) };
    },
  };
}
