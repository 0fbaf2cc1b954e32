import { type Finding, makeFinding } from '../../messages/finding.js';
import type { LinkModel } from './link-model.js';
import { type AchievedLink, type LinkProbe, measureLink } from './measure-link.js';

/** A link further off than this does not stand for what was asked. */
const mostDeviation = 0.05;
/** Below this no process on a machine that does something else can tell latencies apart. */
const latencyGrainMs = 0.5;
/** How long the transfer takes at the asked rate. */
const transferSeconds = 1.5;
const mostBytes = 512 * 2 ** 20;
const fewestConnections = 4;
const mostConnections = 32;
const requests = 7;

/** A link that has been measured before it is relied on. */
export type VerifiedLink = {
  readonly achieved: AchievedLink;
  /** `bench-link-off`, or nothing. */
  readonly findings: readonly Finding[];
};

/**
 * Plans how a link is measured: with as many connections as it takes to fill it.
 *
 * @param model - What was asked of it.
 * @returns What to ask of it, and the rate that these connections can have, bytes per second.
 */
export function planProbe(model: LinkModel): LinkProbe & { readonly askedBytesPerSecond: number } {
  const { bytesPerSecond, perConnectionBytesPerSecond: alone } = model;
  const wanted = Math.ceil(bytesPerSecond / (alone ?? bytesPerSecond));
  const connections = Math.min(mostConnections, Math.max(fewestConnections, wanted));
  const askedBytesPerSecond = Math.min(bytesPerSecond, (alone ?? bytesPerSecond) * connections);
  const sizeBytes = Math.ceil(Math.min(mostBytes, askedBytesPerSecond * transferSeconds));
  return { sizeBytes, connections, requests, askedBytesPerSecond };
}

/**
 * Judges whether a link did what was asked of it.
 *
 * With jitter the median of a few latencies may lie anywhere in it.
 *
 * @param model - What was asked.
 * @param achieved - What was seen, by the probe that {@link planProbe} makes.
 * @returns `bench-link-off` when rate or latency are more than 5 % off, the latency also by more than half a millisecond.
 */
export function judgeLink(model: LinkModel, achieved: AchievedLink): readonly Finding[] {
  const { askedBytesPerSecond } = planProbe(model);
  const { latencyMs: askedLatencyMs, jitterMs } = model;
  const rateOff = Math.abs(achieved.bytesPerSecond / askedBytesPerSecond - 1);
  const latencyOffMs = Math.abs(achieved.latencyMs - askedLatencyMs) - jitterMs;
  const isMet =
    rateOff <= mostDeviation && latencyOffMs <= Math.max(latencyGrainMs, askedLatencyMs * mostDeviation);
  if (isMet) return [];
  const facts = {
    askedBytesPerSecond,
    achievedBytesPerSecond: achieved.bytesPerSecond,
    askedLatencyMs,
    achievedLatencyMs: achieved.latencyMs,
  };
  return [makeFinding('warning', 'bench-link-off', facts)];
}

/**
 * Measures a link through its shaper, before anything is measured through the link.
 *
 * The bytes are made up by the shaper: it is the link that is checked, not how fast the store behind it is.
 *
 * @param endpoint - Address of the shaper.
 * @param model - What was asked of it.
 * @param signal - Ends the measurement.
 * @returns What was seen, and what is to be said about it; it takes about two seconds.
 * @throws Whatever the connections do.
 */
export async function verifyLink(
  endpoint: string,
  model: LinkModel,
  signal: AbortSignal,
): Promise<VerifiedLink> {
  const achieved = await measureLink(endpoint, planProbe(model), signal);
  return { achieved, findings: judgeLink(model, achieved) };
}
