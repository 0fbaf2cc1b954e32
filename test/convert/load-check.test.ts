import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkLoad } from '../../src/convert/check-load.js';
import { convertModel } from '../../src/convert/convert-model.js';
import { openSource } from '../../src/convert/open-source.js';
import { quietContext } from '../../src/lib/work-context.js';
import { encode, graph, model, node, ramp, value } from '../fixtures/build-model.js';
import { catchError } from '../fixtures/catch-error.js';
import { completeOptions } from '../fixtures/convert-options.js';
import { noise, runOnnx } from '../fixtures/run-onnx.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();
let folder = '';
let source = '';
beforeEach(async () => {
  folder = await tempFolder();
  source = join(folder, 'source.onnx');
});

async function conversionOf(path: string): Promise<Parameters<typeof checkLoad>[1]> {
  return { source: await openSource(path), options: { engine: 'onnxruntime', inference: 'f32' } };
}

const x = [value('x', [300])];
const y = [value('y', [300])];
const plain = model(
  graph({ inputs: x, outputs: y, nodes: [node('Mul', ['x', 'w'], ['y'])], initializers: [ramp('w', [300])] }),
);
/** onnxruntime 1.30 has no random numbers in FP16 on the CPU. */
const random = model(
  graph({
    inputs: x,
    outputs: y,
    nodes: [node('RandomUniformLike', ['x'], ['r'], { dtype: 1 }), node('Add', ['x', 'r'], ['y'])],
  }),
);
const strange = model(
  graph({
    inputs: x,
    outputs: y,
    nodes: [node('Strange', ['x', 'w'], ['y'], {}, 'com.example')],
    initializers: [ramp('w', [300])],
  }),
  { domains: { 'com.example': 1 } },
);

const options = (more: Partial<Parameters<typeof completeOptions>[0]> = {}) =>
  completeOptions({ model: source, out: join(folder, 'out', 'artifact'), loadCheck: true, ...more });

describe('the load check', () => {
  it.each(['single', 'external'] as const)(
    'opens what was written, before it is put in place: %s',
    async (layout) => {
      await writeFile(source, encode(plain));
      const { loadCheck, findings } = await convertModel(options({ layout, precision: 'fp16-weights' }));
      expect([loadCheck, findings.filter(({ severity }) => severity !== 'info')]).toEqual(['opened', []]);
    },
  );

  it.each(['artifact', 'bare.onnx'])(
    'refuses what onnxruntime does not open, and leaves nothing at %s',
    async (name) => {
      await writeFile(source, encode(random));
      const how = options({ withoutRules: ['generators'], out: join(folder, 'out', name) });
      const error = await catchError(() => convertModel(how));
      expect(error).toMatchObject({ code: 'converted-model-refused', exitCode: 1, facts: { path: source } });
      expect(String(error.facts.reason)).toContain('RandomUniformLike');
      expect(error.cause).toMatchObject({ code: 'runtime-refused-model' });
      expect(await readdir(folder)).toEqual(['out', 'source.onnx']);
      expect(await readdir(join(folder, 'out'))).toEqual([]);
      expect((await convertModel(options({ out: how.out }))).loadCheck).toBe('opened');
    },
  );

  it('leaves what was at the target before where it is', async () => {
    await writeFile(source, encode(plain));
    const out = join(folder, 'out', 'm.onnx');
    await convertModel(options({ out }));
    await writeFile(source, encode(random));
    await catchError(() => convertModel(options({ out, withoutRules: ['generators'] })));
    expect(await readdir(join(folder, 'out'))).toEqual(['m.onnx']);
    expect((await runOnnx(out, { x: noise([300]) })).y).toHaveLength(300);
  });

  it('says that it proves nothing where onnxruntime does not open the source either', async () => {
    await writeFile(source, encode(strange));
    const { loadCheck, findings, weights } = await convertModel(options({ precision: 'fp16-weights' }));
    expect([loadCheck, weights.storedAsFp16]).toEqual(['not-judged', 1]);
    expect(findings).toMatchObject([
      { code: 'load-not-judged', severity: 'warning', facts: { path: source } },
    ]);
  });

  it('is left out when that is wanted', async () => {
    await writeFile(source, encode(random));
    const { loadCheck } = await convertModel(options({ withoutRules: ['generators'], loadCheck: false }));
    expect(loadCheck).toBe('left-out');
  });

  it('judges a file against the one that it was made from, and stops when it is told to', async () => {
    const broken = join(folder, 'broken.onnx');
    await writeFile(source, encode(plain));
    await writeFile(broken, 'no model');
    const opened = await conversionOf(source);
    const notOpened = {
      ...opened,
      source: { ...opened.source, onnx: { ...opened.source.onnx, path: broken } },
    };
    expect((await catchError(() => checkLoad(broken, opened, quietContext()))).code).toBe(
      'converted-model-refused',
    );
    expect(await checkLoad(broken, notOpened, quietContext())).toBe('not-judged');
    expect(await checkLoad(source, notOpened, quietContext())).toBe('opened');
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(checkLoad(source, opened, { ...quietContext(), signal })).rejects.toThrow('enough');
  });
});
