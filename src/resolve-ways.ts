import type { BenchOptions } from './bench/bench-options.js';
import { findDiskPreset } from './bench/disk/disk-presets.js';
import type { LinkModel } from './bench/link/link-model.js';
import { findLinkPreset } from './bench/link/link-presets.js';
import { listMemory } from './list-memory.js';
import type { Pipeline } from './pipeline/read-pipeline.js';
import { findPrice } from './price-inferences.js';

/** The ways to the bytes that a pipeline names, in figures. */
export type BenchWays = Pick<BenchOptions, 'link' | 'hub' | 'disk' | 'mount'>;

/**
 * Turns the names that a pipeline uses for links and disks into figures, and makes sure that its prices
 * exist: called before the first step, so that a wrong name is told at once and not after the work.
 *
 * @param pipeline - The pipeline.
 * @returns What the benchmark takes.
 * @throws `bench-link-unknown`, `bench-disk-unknown`, `price-unknown`, `price-needs-memory`.
 */
export function resolveWays(pipeline: Pipeline): BenchWays {
  const { bench } = pipeline;
  const { hub, mount, disk, price } = bench;
  const [memory = null] = listMemory(pipeline);
  if (price !== undefined) findPrice(price, memory);
  return {
    link: makeLink(bench.link),
    hub: { url: hub?.url ?? null, link: hub?.link === undefined ? null : makeLink(hub.link) },
    disk: disk === undefined ? null : makeDisk(disk),
    mount: mount ?? null,
  };
}

function makeLink(link: Pipeline['bench']['link']): LinkModel | 'direct' {
  if (link === 'real') return 'direct';
  if (typeof link === 'string') return findLinkPreset(link).model;
  const { latencyMs, jitterMs, mbPerSecond, perConnectionMbPerSecond } = link;
  const perConnection = perConnectionMbPerSecond === undefined ? null : perConnectionMbPerSecond * 1e6;
  return {
    latencyMs,
    jitterMs,
    bytesPerSecond: mbPerSecond * 1e6,
    perConnectionBytesPerSecond: perConnection,
  };
}

function makeDisk(disk: NonNullable<Pipeline['bench']['disk']>): NonNullable<BenchOptions['disk']> {
  return typeof disk === 'string' ? findDiskPreset(disk).model : { bytesPerSecond: disk.mbPerSecond * 1e6 };
}
