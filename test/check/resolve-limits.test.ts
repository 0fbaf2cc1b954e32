import { describe, expect, test } from 'vitest';
import { limitProfiles } from '../../src/check/lambda-limits.js';
import { resolveLimits } from '../../src/check/resolve-limits.js';
import { OptimiseModelError } from '../../src/messages/error.js';

const resolveWith = (ephemeralMiB: number | undefined, memoryMiB: number | null = null) =>
  resolveLimits({ profile: 'lambda-zip', ephemeralMiB, memoryMiB });

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof OptimiseModelError) return `${error.code} ${error.exitCode}`;
    throw error;
  }
  return 'nothing was thrown';
}

describe('limits of a function', () => {
  test('are binary: 250 MB unzipped, 50 MB zipped and 512 MB ephemeral in the platform’s words', () => {
    expect(resolveWith(undefined)).toEqual({
      profile: 'lambda-zip',
      unzippedBytes: 262_144_000,
      zippedBytes: 52_428_800,
      ephemeralBytes: 536_870_912,
      memoryBytes: null,
    });
  });

  test('take the ends of the ephemeral range and refuse what lies beyond, as the study of bug reports asks', () => {
    expect(resolveWith(512).ephemeralBytes).toBe(536_870_912);
    expect(resolveWith(10_240).ephemeralBytes).toBe(10_737_418_240);
    for (const wrong of [511, 10_241, 512.5, Number.NaN, 0]) {
      expect(codeOf(() => resolveWith(wrong))).toBe('ephemeral-size-wrong 2');
    }
  });

  test('refuse memory that no function can have', () => {
    expect(resolveWith(512, 2048).memoryBytes).toBe(2_147_483_648);
    for (const wrong of [127, 10_241]) {
      expect(codeOf(() => resolveWith(512, wrong))).toBe('memory-size-wrong 2');
    }
  });

  test('all say where they were read and when', () => {
    for (const profile of Object.values(limitProfiles)) {
      for (const limit of Object.values(profile)) {
        expect(limit.source).toMatch(/^https:/);
        expect(limit.asOf).toMatch(/^\d{4}-\d\d-\d\d$/);
      }
    }
  });
});
