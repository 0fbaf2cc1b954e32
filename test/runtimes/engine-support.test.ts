import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { supportOf } from '../../src/runtimes/engine-support.js';
import { installedVersion } from '../../src/runtimes/installed-version.js';

describe('what a version of onnxruntime opens', () => {
  it.each([
    ['1.22.0', 22],
    ['1.23.9', 23],
    ['1.24.0-dev.1', 23],
    ['1.30.0', 26],
  ])('%s: opset %d', (version, opset) => {
    expect(supportOf('onnxruntime', version)?.opset).toBe(opset);
  });

  it.each(['1.21.9', '1.30.1', '2.0.0', 'nightly'])('%s was never tried', (version) => {
    expect(supportOf('onnxruntime', version)).toBeUndefined();
  });
});

describe('the installed version of an engine', () => {
  it('is read from its package without loading it', () => {
    const { version } = createRequire(import.meta.url)('onnxruntime-node/package.json');
    expect(installedVersion('onnxruntime')).toBe(version);
    const { sharedObjects } = process.report.getReport() as { sharedObjects: string[] };
    expect(sharedObjects.filter((path) => path.includes('onnxruntime'))).toEqual([]);
  });
});
