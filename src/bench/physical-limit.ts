import type { BenchDisk, BenchLink, BenchSample, PhysicalLimit } from './bench-result.js';
import type { CacheState } from './cache/cache-state.js';
import type { RowSource } from './locate-row.js';
import type { PlannedRow } from './plan-rows.js';
import { sessionOf } from './session-of-row.js';
import { spreadOf } from './statistics/spread.js';

/** A row, and how its bytes are read from a disk. */
export type ReadingRow = PlannedRow &
  Pick<RowSource, 'layout'> & {
    /** Whether the disk's rate is that of the disk it reads from. */
    readonly isDiskHeld: boolean;
  };

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
 * @param cache - What the page cache held when its samples began.
 * @param ways - The link, that of the hub, and the disk.
 * @returns The artifact's bytes and how long they take, ms; nothing for a layer whose bytes need not all come from a disk
 *   that is held to a rate; null where they pass what is not known: a link that is not shaped, whatever is behind a
 *   mount, or a disk of which it is not known whether it was read.
 */
export function computeWay(
  row: ReadingRow,
  cache: CacheState,
  ways: Ways,
): Pick<PhysicalLimit, 'linkBytes' | 'linkMs'> | null {
  const { target, delivery } = row;
  const { sizeBytes } = target;
  if (delivery === 'mount') return null;
  if (delivery === 'layer') {
    // What is mapped and not packed anew is read when an inference needs it, which is after the load.
    const isPacked = target.variant.engine === 'onnxruntime' && sessionOf(row).prepacking;
    const readsAll = row.layout === 'single' || row.layout === 'blob' || isPacked;
    const fromDisk = readsAll && row.isDiskHeld ? timeOf(sizeBytes, ways.disk.bytesPerSecond) : null;
    if (fromDisk === null || cache === 'warm' || cache === 'memory') return { linkBytes: 0, linkMs: 0 };
    return cache === 'unknown' ? null : fromDisk;
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
 * @param measured - Medians of the row's load and of its own session, ms, which is a floor itself where it is below the
 *   other; null without a measurement.
 * @returns The limit and how near the load came to it: 1 at most, as links and disks are held to a rate within a few
 *   percent only.
 */
export function limitOf(
  parts: Pick<PhysicalLimit, 'linkBytes' | 'linkMs' | 'sessionMs'>,
  { loadMs, sessionMs }: { readonly loadMs: number | null; readonly sessionMs: number | null },
): PhysicalLimit {
  const floorMs = Math.min(parts.sessionMs, sessionMs ?? parts.sessionMs);
  const limitMs = parts.linkMs + floorMs;
  const efficiency = loadMs === null ? null : Math.min(1, limitMs / loadMs);
  return { ...parts, sessionMs: floorMs, loadMs: limitMs, efficiency };
}
