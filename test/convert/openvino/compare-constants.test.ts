import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { compareConstants, type SavedIr } from '../../../src/convert/openvino/compare-constants.js';
import type { IrConstant } from '../../../src/convert/openvino/read-ir.js';
import { floatToHalf } from '../../../src/half/half-numbers.js';
import { catchError } from '../../fixtures/catch-error.js';
import { useTempFolder } from '../../fixtures/temp-folder.js';

const makeFolder = useTempFolder();
const { signal } = new AbortController();
let folder = '';
beforeEach(async () => {
  folder = await makeFolder();
});

function constant(name: string, elementType: string, offset: number, sizeBytes: number): IrConstant {
  return { name, scope: 'graph', onnxNames: [], elementType, shape: '', offset, sizeBytes };
}

async function save(name: string, bytes: Uint8Array, constants: readonly IrConstant[]): Promise<SavedIr> {
  const binPath = join(folder, name);
  await writeFile(binPath, bytes);
  return { binPath, graph: { irVersion: 11, opset: 1, constants } };
}

const values = Float32Array.of(1e6, 0.5, 3, 4);
const halves = Uint16Array.from([65_504, 0.5, 3, 4], floatToHalf);
const large = Float32Array.of(1e6, 2e6, 3e6, 1);
const exactBytes = Buffer.concat([new Uint8Array(values.buffer), new Uint8Array(large.buffer)]);
const storedBytes = Buffer.concat([new Uint8Array(halves.buffer), new Uint8Array(large.buffer)]);
const exactConstants = [constant('w', 'f32', 0, 16), constant('k', 'f32', 16, 16)];
const storedConstants = [constant('w_compressed', 'f16', 0, 8), constant('k', 'f32', 8, 16)];

it('says of each constant what became of its numbers, or why it was left', async () => {
  const exact = await save('exact', exactBytes, exactConstants);
  const compared = await compareConstants(exact, await save('stored', storedBytes, storedConstants), signal);
  expect(compared?.rounded).toMatchObject([
    { constant: { name: 'w' }, stats: { values: 4, clampedCount: 1, exactCount: 3, largest: 1e6 } },
  ]);
  expect(compared?.kept).toMatchObject([{ constant: { name: 'k' }, isMostlyOutside: true, beyondCount: 3 }]);
});

it('counts constants that share their bytes once, and those without numbers not', async () => {
  const twice = [...exactConstants, constant('again', 'f32', 0, 16), constant('empty', 'f32', 32, 0)];
  const stored = [
    ...storedConstants,
    ...[constant('again_compressed', 'f16', 0, 8), constant('empty', 'f32', 24, 0)],
  ];
  const exact = await save('exact', exactBytes, twice);
  const compared = await compareConstants(exact, await save('stored', storedBytes, stored), signal);
  expect([compared?.rounded.length, compared?.kept.length]).toEqual([1, 1]);
});

it('compares nothing when the two have other constants', async () => {
  const exact = await save('exact', exactBytes, exactConstants);
  for (const constants of [
    storedConstants.slice(1),
    storedConstants.toReversed(),
    [constant('w_compressed', 'f16', 0, 4), constant('k', 'f32', 8, 16)],
  ]) {
    expect(await compareConstants(exact, await save('stored', storedBytes, constants), signal)).toBeNull();
  }
});

it('refuses a file that ends too early', async () => {
  const exact = await save('exact', exactBytes, exactConstants);
  const stored = await save('stored', storedBytes.subarray(0, 6), storedConstants);
  const { code } = await catchError(() => compareConstants(exact, stored, signal));
  expect(code).toBe('ovc-failed');
});
