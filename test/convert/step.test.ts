import { expect, it } from 'vitest';
import { convertStep } from '../../src/convert/step.js';
import type { Engine, InferencePrecision, Layout } from '../../src/lib/variant.js';

const avx2 = { model: 'A', architecture: 'x64', instructionSets: ['avx2'] };
const bf16 = { ...avx2, model: 'B', instructionSets: ['avx2', 'avx512_bf16'] };

it.each<[Engine, Layout, InferencePrecision, boolean]>([
  ['onnxruntime', 'single', 'f32', false],
  ['openvino', 'ir', 'f32', false],
  ['openvino', 'ir', 'bf16', true],
  ['openvino', 'single', 'bf16', true],
  ['openvino', 'blob', 'f32', true],
])('a conversion for %s, %s, %s is made again on another processor: %s', (...traits) => {
  const [engine, layout, inference, isMadeAgain] = traits;
  const keyFor = (processor: typeof avx2) =>
    JSON.stringify(
      convertStep({
        ...{ model: 'm.onnx', out: 'o', precision: 'fp32', engine, layout, inference },
        ...{ minWeightBytes: 1, maxWeightError: 1, io: 'fp32', keepFp32: [], withoutRules: [] },
        ...{ loadCheck: false, sourceSha256: 'a', processor },
      } as Parameters<typeof convertStep>[0]).key,
    );
  expect(keyFor(avx2) !== keyFor(bf16)).toBe(isMadeAgain);
});
