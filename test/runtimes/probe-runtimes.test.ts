import { describe, expect, it } from 'vitest';
import { probeRuntimes } from '../../src/runtimes/probe-runtimes.js';

describe('probeRuntimes', () => {
  it('finds the installed engine, its library and what it takes to ship it', async () => {
    const [probe] = await probeRuntimes();
    expect(probe).toMatchObject({ engine: 'onnxruntime', found: true });
    if (!probe?.found) return;
    expect(probe.path).toMatch(/onnxruntime/);
    expect(probe.librarySizeBytes).toBeGreaterThan(10_000_000);
    expect(probe.packSizeBytes).toBeGreaterThan(probe.librarySizeBytes);
  });
});
