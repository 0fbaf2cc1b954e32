import { nearestWord } from '../../lib/nearest-word.js';
import { OptimiseModelError } from '../../messages/error.js';
import type { DiskModel } from '../bench-options.js';

/** A disk that has a name, and what its figures rest on. */
export type DiskPreset = {
  readonly model: DiskModel;
  /** Where the figures were published. */
  readonly sources: readonly string[];
  /** When they were read: a year and a month. */
  readonly asOf: string;
  readonly note: string;
};

const mebibyte = 2 ** 20;
const ssdVolumes =
  'https://docs.aws.amazon.com/prescriptive-guidance/latest/sql-server-ec2-ha-dr/ebs-storage-types.html';
const volumeTypes = 'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ebs-volume-types.html';
const asOf = '2026-11';

/** Disks by name; their "MiB/s" are binary. */
export const diskPresets: Readonly<Record<string, DiskPreset>> = {
  'gp3-baseline': {
    model: { bytesPerSecond: 125 * mebibyte },
    sources: [volumeTypes, 'study of where a model of 5.76 GB in 26 files comes from, on one GPU host'],
    asOf,
    note: 'An EBS volume of type gp3 as it comes: 125 MiB/s whatever its size. This is the disk of the study.',
  },
  'gp3-most': {
    model: { bytesPerSecond: 1000 * mebibyte },
    sources: [ssdVolumes, volumeTypes],
    asOf,
    note: 'An EBS volume of type gp3 with 1,000 MiB/s, paid for apart; newer volumes may be given more.',
  },
  'gp2-most': {
    model: { bytesPerSecond: 250 * mebibyte },
    sources: [ssdVolumes, volumeTypes],
    asOf,
    note: 'An EBS volume of type gp2 of 334 GiB or more: 250 MiB/s.',
  },
};

/**
 * Finds a disk by its name.
 *
 * @param name - One of {@link diskPresets}.
 * @returns The disk and what it rests on.
 * @throws `bench-disk-unknown` with the nearest name there is.
 */
export function findDiskPreset(name: string): DiskPreset {
  const preset = Object.hasOwn(diskPresets, name) ? diskPresets[name] : undefined;
  if (preset !== undefined) return preset;
  const known = Object.keys(diskPresets);
  throw OptimiseModelError.of('bench-disk-unknown', { name, nearest: nearestWord(name, known), known });
}
