import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

describe('the process that takes samples', () => {
  it.skipIf(process.platform !== 'linux')(
    'maps no runtime, whose pages would then stay in the page cache',
    async () => {
      await import('../../src/bench/benchmark.js');
      await import('../../src/bench/step.js');
      const { prepareCache } = await import('../../src/bench/cache/prepare-cache.js');
      expect(prepareCache).toBeTypeOf('function');
      const maps = await readFile('/proc/self/maps', 'utf8');
      expect(maps).toContain('node');
      expect(maps).not.toMatch(/onnxruntime|openvino/);
    },
  );
});
