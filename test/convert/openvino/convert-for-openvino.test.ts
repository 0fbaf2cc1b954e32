import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { convertModel } from '../../../src/convert/convert-model.js';
import type { ConvertOptions } from '../../../src/convert/convert-options.js';
import { encode, graph, model, node, value } from '../../fixtures/build-model.js';
import { catchError } from '../../fixtures/catch-error.js';
import { useTempFolder } from '../../fixtures/temp-folder.js';
import { openvinoOptions, weightyModel } from '../../fixtures/weighty-model.js';
import { requireOpenvino } from '../../services/require-openvino.js';

const tempFolder = useTempFolder();
let folder = '';
let source = '';

beforeEach(async (context) => {
  await requireOpenvino(context);
  folder = await tempFolder();
  source = join(folder, 'source.onnx');
  await writeFile(source, encode(weightyModel));
});

function options(more: Partial<ConvertOptions> = {}): ConvertOptions {
  return openvinoOptions(folder, more);
}

describe('a compiled model', () => {
  it.each(['fp32', 'fp16-weights'] as const)(
    'of %s opens, and is bound to where it was made',
    async (precision) => {
      const { record, loadCheck, findings } = await convertModel(options({ precision, layout: 'blob' }));
      expect(loadCheck).toBe('opened');
      expect(record).toMatchObject({
        variant: { id: `${precision}.openvino.blob` },
        entry: 'model.blob',
        files: [{ path: 'model.blob' }],
        requires: {
          architecture: process.arch,
          boundTo: { kind: 'compiled-blob' },
          names: { inputs: ['x'], outputs: ['y'] },
        },
        provenance: { options: { compiledFrom: 'ir' } },
      });
      const { boundTo, minimumVersion } = record?.requires ?? {};
      expect(boundTo?.engineVersion).toBe(minimumVersion);
      expect(boundTo?.instructionSets).not.toEqual([]);
      expect(findings[0]).toMatchObject({ code: 'artifact-bound', severity: 'warning' });
      const { size } = await stat(join(folder, 'artifact/model.blob'));
      expect(size).toBe(record?.sizeBytes);
    },
  );
});

describe('ONNX for OpenVINO', () => {
  it.each(['single', 'external'] as const)(
    'is what our conversion makes, %s, and opens there',
    async (layout) => {
      const { record, loadCheck, weights: totals } = await convertModel(options({ layout }));
      expect(loadCheck).toBe('opened');
      expect(totals.clampedValues).toBe(0);
      expect(record).toMatchObject({
        variant: { id: `fp16-weights.openvino.${layout}` },
        entry: 'model-openvino.onnx',
        requires: {
          engine: 'openvino',
          minimumVersion: '2025.1.0',
          names: { inputs: ['x'], outputs: ['y'] },
        },
      });
    },
  );

  it('differs from that for onnxruntime by its name alone', async () => {
    const one = await convertModel(options({ layout: 'single' }));
    const out = join(folder, 'other');
    const other = await convertModel(options({ layout: 'single', engine: 'onnxruntime', out }));
    expect(one.record?.files[0]?.sha256).toBe(other.record?.files[0]?.sha256);
    expect(one.record?.digest).not.toBe(other.record?.digest);
  });

  it('is refused when OpenVINO does not read the model', async () => {
    const main = graph({
      inputs: [value('x', [2])],
      outputs: [value('y', [2])],
      nodes: [node('Strange', ['x'], ['y'], {}, 'com.example')],
    });
    await writeFile(source, encode(model(main, { domains: { 'com.example': 1 } })));
    const error = await catchError(() => convertModel(options({ layout: 'single' })));
    expect(error.code).toBe('openvino-refused-model');
  });
});
