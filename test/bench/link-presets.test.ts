import { describe, expect, it } from 'vitest';
import { diskPresets, findDiskPreset } from '../../src/bench/disk/disk-presets.js';
import { findLinkPreset, linkPresets } from '../../src/bench/link/link-presets.js';

describe('presets of links and disks', () => {
  it.each([...Object.entries(linkPresets), ...Object.entries(diskPresets)])(
    '%s says what its figures rest on, and since when',
    (_name, { model, sources, asOf, note }) => {
      expect(sources.length).toBeGreaterThan(0);
      expect(asOf).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/);
      expect(note).toMatch(/\.$/);
      expect(model.bytesPerSecond).toBeGreaterThan(0);
    },
  );

  it('repeat the downloads of the study: 5.76 GB take 25.06 s from S3 and 29.96 s from a hub', () => {
    const seconds = (name: string) => 5.76e9 / findLinkPreset(name).model.bytesPerSecond;
    expect(seconds('s3-copy-gpu-host')).toBeCloseTo(25.06, 2);
    expect(seconds('hub')).toBeCloseTo(29.96, 2);
    expect(findDiskPreset('gp3-baseline').model.bytesPerSecond).toBe(131_072_000);
  });

  it('are found by name, and a mistyped name finds the nearest', () => {
    expect(findLinkPreset('lambda-s3').model).toMatchObject({ latencyMs: 20, bytesPerSecond: 90e6 });
    expect(() => findLinkPreset('lamda-s3')).toThrow(
      expect.objectContaining({
        code: 'bench-link-unknown',
        facts: expect.objectContaining({ nearest: 'lambda-s3' }),
      }),
    );
    expect(() => findLinkPreset('toString')).toThrow(expect.objectContaining({ code: 'bench-link-unknown' }));
    expect(() => findDiskPreset('gp3')).toThrow(expect.objectContaining({ code: 'bench-disk-unknown' }));
  });
});
