import { describe, expect, it } from 'vitest';
import { probeRuntimes } from '../../src/runtimes/probe-runtimes.js';
import { requireOpenvino } from '../services/require-openvino.js';

describe('probeRuntimes', () => {
  it('finds the installed engine, its library and what it takes to ship it', async () => {
    const [probe] = await probeRuntimes();
    expect(probe).toMatchObject({ engine: 'onnxruntime', found: true });
    if (!probe?.found) return;
    expect(probe.path).toMatch(/onnxruntime/);
    expect(probe.librarySizeBytes).toBeGreaterThan(10_000_000);
    expect(probe.packSizeBytes).toBeGreaterThan(probe.librarySizeBytes);
  });

  it('finds OpenVINO, what led to it, and the Python that has its converter', async (context) => {
    const { libraryPath, python } = await requireOpenvino(context);
    const [, probe] = await probeRuntimes();
    expect(probe).toMatchObject({ engine: 'openvino', found: true, version: '2026.4.1', path: libraryPath });
    if (!probe?.found) return;
    expect(probe.foundBy).toBe('--openvino-lib or OPENVINO_LIB_PATH');
    expect(probe.converter === null).toBe(python === null);
    expect(probe.packSizeBytes).toBeGreaterThan(80_000_000);
  });
});
