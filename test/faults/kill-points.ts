import { basename } from 'node:path';
import type { Moment } from '../services/faulty-exchange.js';
import type { S3Call } from '../services/s3-call.js';

/** A command that is killed. */
export type KilledVerb = 'stage' | 'publish' | 'fetch';

/** The moment at which a command is killed. */
export type KillPoint =
  /** At a moment of a request. */
  | { readonly kind: 'request'; readonly verb: KilledVerb; readonly request: string; readonly moment: Moment }
  /** When a file or folder whose path fits appears, changes or goes. */
  | { readonly kind: 'file'; readonly verb: KilledVerb; readonly step: string; readonly path: RegExp }
  /** Some time after its first request that carries content. */
  | { readonly kind: 'delay'; readonly verb: KilledVerb; readonly share: number };

/** What a command does when nothing kills it. */
export type ObservedRun = {
  readonly verb: KilledVerb;
  /** Every moment of every request, in their order. */
  readonly moments: readonly { readonly request: string; readonly moment: Moment }[];
};

/**
 * Names a request in a way that does not depend on the order of parallel ones.
 *
 * @param call - The request.
 * @param seen - How often each name came before; counted on.
 * @returns Such as `part 2 of model.onnx.data`, with its number when it is not the first.
 */
export function nameRequest(call: S3Call, seen: Map<string, number>): string {
  const name = call.key === '' ? call.name : `${call.name} of ${basename(call.key)}`;
  const count = (seen.get(name) ?? 0) + 1;
  seen.set(name, count);
  return count === 1 ? name : `${name} #${count}`;
}

/**
 * Chooses moments, spread over everything that a sequence of commands does.
 *
 * @param runs - What the commands do.
 * @param files - Steps that show in the file system.
 * @param count - How many moments.
 * @returns About 72 % moments of requests, evenly from all there are, 10 % of files, and the rest after delays.
 */
export function chooseKillPoints(
  runs: readonly ObservedRun[],
  files: readonly Extract<KillPoint, { kind: 'file' }>[],
  count: number,
): readonly KillPoint[] {
  const requests = runs.flatMap(({ verb, moments }) =>
    moments.map((moment) => ({ kind: 'request' as const, verb, ...moment })),
  );
  const requestCount = Math.min(requests.length, Math.round(count * 0.72));
  const fileCount = Math.round(count * 0.1);
  const chosen: KillPoint[] = [];
  for (let index = 0; index < requestCount; index += 1)
    chosen.push(...requests.slice(Math.floor((index * requests.length) / requestCount)).slice(0, 1));
  for (let index = 0; index < fileCount; index += 1)
    chosen.push(...files.slice(index % files.length).slice(0, 1));
  const verb = runs[0]?.verb ?? 'stage';
  for (let index = 1; chosen.length < count; index += 1)
    // Multiples of the golden ratio fill an interval evenly, however many there are.
    chosen.push({ kind: 'delay', verb, share: (index * 0.618_034) % 1 });
  return chosen;
}

/**
 * Names the step of a moment for the histogram: parts and ranges count as one.
 *
 * @param point - The moment.
 * @returns Such as `stage: part, request half`.
 */
export function nameStep(point: KillPoint): string {
  if (point.kind === 'file') return `${point.verb}: ${point.step}`;
  if (point.kind === 'delay') return `${point.verb}: some time after the first byte`;
  const request = point.request.replace(/ #\d+$/, '').replace(/^part \d+/, 'part');
  return `${point.verb}: ${request.replace(/\d{8}T\d{6}Z-[0-9a-f]{8}/, 'RELEASE')}, ${point.moment}`;
}
