import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convertModel } from '../../src/convert/convert-model.js';
import { findNameFaults } from '../../src/onnx/name-faults.js';
import { readModel } from '../../src/onnx/read-model.js';
import { findTypeFaults } from '../../src/onnx/type-faults.js';
import { encode } from '../fixtures/build-model.js';
import { expectSettled } from '../fixtures/convert-in-code.js';
import { completeOptions } from '../fixtures/convert-options.js';
import { randomGraph } from '../fixtures/random-graph.js';
import { Choices } from '../fixtures/random-message.js';
import { bool, type Feeds, noise, runOnnx } from '../fixtures/run-onnx.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();
const tape = fc.array(fc.nat(1 << 20), { minLength: 40, maxLength: 400, size: 'max' });

function worstExcess(before: Record<string, number[]>, after: Record<string, number[]>): number {
  const pairs = Object.entries(before).flatMap(([name, numbers]) =>
    numbers.map((number, at) => [number, after[name]?.[at] ?? Number.NaN] as const),
  );
  return Math.max(...pairs.map(([one, other]) => Math.abs(one - other) - 0.02 - 0.02 * Math.abs(one)));
}

describe('random graphs with bodies and weights', () => {
  it('convert to models that fit, open, stay what they are, and compute nearly the same', async () => {
    const folder = await tempFolder();
    const [source, target] = [join(folder, 'source.onnx'), join(folder, 'target.onnx')];
    await fc.assert(
      fc.asyncProperty(tape, fc.boolean(), async (numbers, c) => {
        await writeFile(source, encode(randomGraph(new Choices(numbers))));
        const feeds: Feeds = { x0: noise([2, 3]), x1: noise([2, 3], -0.7), c: bool(c) };
        const before = await runOnnx(source, feeds);
        for (const precision of ['fp16', 'fp16-weights'] as const) {
          const options = completeOptions({ model: source, out: target, precision });
          await convertModel(options);
          const { model } = await readModel(target);
          expect(findTypeFaults(model)).toEqual([]);
          expect(findNameFaults(model)).toEqual({ repeated: [], unresolved: [] });
          expect(worstExcess(before, await runOnnx(target, feeds))).toBeLessThanOrEqual(0);
          await expectSettled(target, options);
        }
      }),
      { numRuns: 60, seed: 20_261_130 },
    );
  });
});
