import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findUsedOpenvino,
  keyOfOpenvino,
  listEngineFiles,
  nameEnvironment,
} from '../../src/bench/engine-in-use.js';
import { requireOpenvino } from '../services/require-openvino.js';

describe('the engines of a benchmark', () => {
  it('need no OpenVINO to be found where nothing is for it, nor in a key', async () => {
    expect(await findUsedOpenvino([{ engine: 'onnxruntime' }])).toBeNull();
    expect(keyOfOpenvino(null)).toEqual({});
    expect(nameEnvironment(null)).toEqual({});
  });

  it('are found once, for all processes', async (context) => {
    const { libraryPath } = await requireOpenvino(context);
    const found = await findUsedOpenvino([{ engine: 'onnxruntime' }, { engine: 'openvino' }]);
    expect(found).toEqual({ libraryPath, version: expect.stringMatching(/^\d{4}\.\d+\.\d+$/) });
    expect(keyOfOpenvino(found)).toEqual({ openvino: found?.version });
    expect(nameEnvironment(found)).toEqual({ OPENVINO_LIB_PATH: libraryPath });
  });

  it('have the files that are evicted of each row: of its own engine, and what reads its layout', async (context) => {
    await requireOpenvino(context);
    const namesOf = async (...[engine, layout]: ['onnxruntime' | 'openvino', 'single' | 'ir' | 'blob']) =>
      (await listEngineFiles({ engine, layout })).libraries.map((path) => basename(path));
    const [onnx, single, ir, blob] = await Promise.all([
      namesOf('onnxruntime', 'single'),
      namesOf('openvino', 'single'),
      namesOf('openvino', 'ir'),
      namesOf('openvino', 'blob'),
    ]);
    expect(onnx.filter((name) => /openvino/.test(name))).toEqual([]);
    for (const names of [single, ir, blob]) {
      expect(names).toContain('libopenvino_intel_cpu_plugin.so');
      // This process maps it, so that it would stay.
      expect(names.filter((name) => /koffi|onnxruntime/.test(name))).toEqual([]);
    }
    const readers = [single, ir, blob].map((names) => names.filter((name) => name.includes('frontend')));
    expect(readers).toEqual([
      [expect.stringContaining('onnx_frontend')],
      [expect.stringContaining('ir_frontend')],
      [expect.stringContaining('ir_frontend')],
    ]);
  });
});
