import { OptimiseModelError } from '../messages/error.js';
import { type DatedRange, limitProfiles, type ProfileName } from './lambda-limits.js';

/** The limits of one function, in bytes. */
export type Limits = {
  readonly profile: ProfileName;
  readonly unzippedBytes: number;
  readonly zippedBytes: number;
  readonly ephemeralBytes: number;
  /** Memory of the function; null when it is not stated. */
  readonly memoryBytes: number | null;
};

/**
 * Turns a profile and what is configured per function into limits in bytes.
 *
 * @param settings - Profile name; ephemeral storage in MiB (512 when undefined); memory in MiB or null.
 * @returns The limits.
 * @throws ephemeral-size-wrong and memory-size-wrong when the platform has no such setting.
 */
export function resolveLimits(settings: {
  readonly profile: ProfileName;
  readonly ephemeralMiB: number | undefined;
  readonly memoryMiB: number | null;
}): Limits {
  const { profile, memoryMiB } = settings;
  const { unzipped, zipped, ephemeral, memory } = limitProfiles[profile];
  const ephemeralMiB = settings.ephemeralMiB ?? ephemeral.minimumMiB;
  if (!isWithin(ephemeral, ephemeralMiB)) {
    throw OptimiseModelError.of('ephemeral-size-wrong', factsOf(ephemeral, ephemeralMiB));
  }
  if (memoryMiB !== null && !isWithin(memory, memoryMiB)) {
    throw OptimiseModelError.of('memory-size-wrong', factsOf(memory, memoryMiB));
  }
  return {
    profile,
    unzippedBytes: unzipped.valueBytes,
    zippedBytes: zipped.valueBytes,
    ephemeralBytes: ephemeralMiB * 1024 ** 2,
    memoryBytes: memoryMiB === null ? null : memoryMiB * 1024 ** 2,
  };
}

function isWithin(range: DatedRange, givenMiB: number): boolean {
  return Number.isInteger(givenMiB) && givenMiB >= range.minimumMiB && givenMiB <= range.maximumMiB;
}

function factsOf(range: DatedRange, givenMiB: number) {
  return { givenMiB, minimumMiB: range.minimumMiB, maximumMiB: range.maximumMiB };
}
