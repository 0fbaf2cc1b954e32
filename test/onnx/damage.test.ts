import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { OptimiseModelError } from '../../src/messages/error.js';
import { listScopes, listTensors } from '../../src/onnx/graph-walk.js';
import { planModelBytes } from '../../src/onnx/plan-model-bytes.js';
import { type OnnxModel, readModel } from '../../src/onnx/read-model.js';
import { readSource } from '../../src/onnx/read-source.js';
import { findPayload, readPayload } from '../../src/onnx/tensor-payload.js';
import { encode } from '../fixtures/build-model.js';
import { touchAll } from '../fixtures/edit-at-random.js';
import { withPayloadsEverywhere } from '../fixtures/model-with-payloads.js';
import { useTempFolder } from '../fixtures/temp-folder.js';
import { writeRope } from '../fixtures/write-rope.js';

const tempFolder = useTempFolder();
const whole = withPayloadsEverywhere();
const bytes = Buffer.from(
  encode({
    ...whole,
    graph: {
      ...whole.graph,
      initializer: [
        ...(whole.graph?.initializer ?? []),
        {
          name: 'varints',
          dims: [1500],
          dataType: 6,
          int32Data: Array.from({ length: 1500 }, (_unused, n) => n),
        },
      ],
    },
  }),
);

let folder: string;
let files = 0;
beforeEach(async () => {
  folder = await tempFolder();
});

/** Reads everything there is and writes it again; the code of the error of ours that this ends with. */
async function outcome(damaged: Uint8Array): Promise<string> {
  files += 1;
  const path = join(folder, `${files}.onnx`);
  await writeFile(path, damaged);
  try {
    const source = await readModel(path);
    const written = await writeRope(source, planModelBytes(source, touchAll('ModelProto', source.model)));
    expect(written.equals(damaged)).toBe(true);
    await readPayloads(source);
    return 'good';
  } catch (error) {
    if (error instanceof OptimiseModelError) return error.code;
    throw error;
  }
}

async function readPayloads({ path, model }: OnnxModel): Promise<void> {
  for (const { tensor, label } of listScopes(model).flatMap(listTensors)) {
    const payload = await findPayload(path, tensor, label);
    if (payload !== undefined) await readPayload(payload);
  }
}

describe('a damaged model', () => {
  it('that is cut off says where, or that its graph is missing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), async (size) => {
        const expected = ['model-truncated', 'model-has-no-graph', 'model-empty', 'model-not-onnx', 'good'];
        expect(expected).toContain(await outcome(bytes.subarray(0, size)));
      }),
      { numRuns: 200, endOnFailure: true },
    );
  });

  it('with flipped bits ends in an error of ours, or is written as it is', async () => {
    const flips = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(7)), { minLength: 1, maxLength: 4 });
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(flips, async (places) => {
        const damaged = Buffer.from(bytes);
        for (const [at, bit] of places) damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
        outcomes.add(await outcome(damaged));
      }),
      { numRuns: 300, endOnFailure: true },
    );
    expect(outcomes).toContain('good');
  });

  it('does so where a bit between its payloads is flipped', async () => {
    const path = join(folder, 'm.onnx');
    await writeFile(path, bytes);
    const { runs } = readSource(path).bytes;
    const offsets = runs.flatMap(({ start, bytes: run }) =>
      Array.from(run, (_unused, index) => start + index),
    );
    expect(offsets.length).toBeGreaterThan(700);
    const outcomes = new Set<string>();
    for (const [count, at] of offsets.entries()) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << ((count / 2) % 8));
      outcomes.add(await outcome(damaged));
    }
    expect(outcomes).toContain('model-not-onnx');
    expect(outcomes).toContain('tensor-wrong');
  });
});
