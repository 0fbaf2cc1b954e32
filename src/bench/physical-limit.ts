import type { BenchDisk, BenchLink, BenchSample, PhysicalLimit } from './bench-result.js';
import type { PlannedRow } from './plan-rows.js';
import { spreadOf } from './statistics/spread.js';

/** What is between a row's bytes and the process. */
type Ways = {
  readonly link: BenchLink;
  readonly hubLink: BenchLink | null;
  readonly disk: BenchDisk;
};

/**
 * Computes how long the bytes of a row take on their way when nothing but the way holds them up.
 *
 * @param row - The row.
 * @param ways - The link, that of the hub, and the disk.
 * @returns The artifact's bytes and how long they take, ms; nothing for a layer on a disk that is not held to a rate;
 *   null where they pass what is not known: a link that is not shaped, or whatever is behind a mount.
 */
export function computeWay(
  { target, delivery }: PlannedRow,
  ways: Ways,
): Pick<PhysicalLimit, 'linkBytes' | 'linkMs'> | null {
  const { sizeBytes } = target;
  if (delivery === 'mount') return null;
  if (delivery === 'layer') {
    return timeOf(sizeBytes, ways.disk.bytesPerSecond) ?? { linkBytes: 0, linkMs: 0 };
  }
  return timeOf(sizeBytes, (delivery === 'url' ? ways.hubLink : ways.link)?.bytesPerSecond ?? null);
}

function timeOf(sizeBytes: number, bytesPerSecond: number | null) {
  return bytesPerSecond === null
    ? null
    : { linkBytes: sizeBytes, linkMs: (sizeBytes * 1000) / bytesPerSecond };
}

/**
 * Finds the shortest session there is: that on the memory-mapped FP32 form, which reads nothing before it must.
 *
 * @param samples - Samples of `stream`, of one model in one memory profile.
 * @returns The median, ms; null without one that succeeded.
 */
export function findSessionFloor(samples: readonly BenchSample[]): number | null {
  const sessions = samples.flatMap(({ phases }) => (phases === null ? [] : [phases.sessionMs]));
  return spreadOf(sessions)?.median ?? null;
}

/**
 * Sets a row's load against what could not be beaten.
 *
 * @param parts - What the limit is made of, ms.
 * @param loadMs - The median load, ms; null without a measurement.
 * @returns The limit and how near the load came to it.
 */
export function limitOf(
  parts: Pick<PhysicalLimit, 'linkBytes' | 'linkMs' | 'sessionMs'>,
  loadMs: number | null,
): PhysicalLimit {
  const limitMs = parts.linkMs + parts.sessionMs;
  return { ...parts, loadMs: limitMs, efficiency: loadMs === null ? null : limitMs / loadMs };
}
