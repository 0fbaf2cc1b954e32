import { readFile, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { windowOver } from '../../src/onnx/byte-window.js';
import { edit } from '../../src/onnx/edit-message.js';
import { listOccurrences, type Occurrence } from '../../src/onnx/list-occurrences.js';
import { planModelBytes } from '../../src/onnx/plan-model-bytes.js';
import type { GraphProto, ModelProto, NodeProto } from '../../src/onnx/proto.js';
import { type OnnxModel, readModel } from '../../src/onnx/read-model.js';
import { withContent } from '../../src/onnx/tensor-content.js';
import { proto } from '../fixtures/build-model.js';
import { touchAll } from '../fixtures/edit-at-random.js';
import { listCaseModels, listInstalledModels } from '../fixtures/model-cases.js';
import { writeRope } from '../fixtures/write-rope.js';

/** Writes the model as it was read, and with every message touched; both must be the file. */
async function expectSame(path: string): Promise<void> {
  const source = await readModel(path);
  const bytes = await readFile(path);
  const same = await writeRope(source, planModelBytes(source, source.model));
  const touched = await writeRope(source, planModelBytes(source, touchAll('ModelProto', source.model)));
  if (!same.equals(bytes) || !touched.equals(bytes)) throw new Error(`${path} is not the same any more`);
}

/** Edits the middle initializer, then the middle node; all other bytes but the graph's length must stay. */
async function expectOneChange(path: string): Promise<void> {
  const source = await readModel(path);
  const bytes = await readFile(path);
  const initializer = [...(source.model.graph?.initializer ?? [])];
  const node = [...(source.model.graph?.node ?? [])];
  const [tensorAt, nodeAt] = [Math.floor(initializer.length / 2), Math.floor(node.length / 2)];
  const [tensor, old] = [initializer[tensorAt], node[nodeAt]];
  if (tensor !== undefined) {
    initializer[tensorAt] = withContent(tensor, 9, { kind: 'bytes', bytes: Uint8Array.of(1) });
    const written = await writeGraph(source, { initializer });
    expectOnlyRecord(path, bytes, written, 5, tensorAt);
    const read = proto.ModelProto.decode(written).graph?.initializer?.[tensorAt];
    expect(read).toMatchObject({ name: tensor.name, dataType: 9, rawData: Buffer.of(1), floatData: [] });
  }
  if (old !== undefined) {
    node[nodeAt] = edit(old, { name: 'renamed for a test' });
    const written = await writeGraph(source, { node });
    expectOnlyRecord(path, bytes, written, 1, nodeAt);
    expect(spellNode(written, nodeAt)).toBe(spellNode(bytes, nodeAt, { name: 'renamed for a test' }));
  }
}

/** A node as onnx-proto encodes it. */
function spellNode(bytes: Uint8Array, index: number, changes: NodeProto = {}): string {
  const node = proto.ModelProto.decode(bytes).graph?.node?.[index] ?? {};
  return Buffer.from(proto.NodeProto.encode(Object.assign(node, changes)).finish()).toString('base64');
}

async function writeGraph(source: OnnxModel, changes: Partial<GraphProto>): Promise<Buffer> {
  const graph = edit<GraphProto>(source.model.graph ?? {}, changes);
  return writeRope(source, planModelBytes(source, edit<ModelProto>(source.model, { graph })));
}

function expectOnlyRecord(path: string, before: Buffer, after: Buffer, number: number, index: number): void {
  const [old, now] = [placesOf(before, number, index), placesOf(after, number, index)];
  const isSame =
    before.subarray(0, old.graph.offset).equals(after.subarray(0, now.graph.offset)) &&
    before
      .subarray(old.graph.start, old.record.offset)
      .equals(after.subarray(now.graph.start, now.record.offset)) &&
    before.subarray(old.record.end).equals(after.subarray(now.record.end));
  if (!isSame) throw new Error(`${path} changed outside of record ${index} of field ${number}`);
}

function placesOf(bytes: Buffer, number: number, index: number): { graph: Occurrence; record: Occurrence } {
  const graph = listOccurrences(windowOver(bytes), 0, bytes.length, [7]).inOrder.at(-1);
  if (graph === undefined) throw new Error('there is no graph');
  const record = listOccurrences(windowOver(bytes), graph.start, graph.end, [number]).inOrder[index];
  if (record === undefined) throw new Error(`there is no record ${index} of field ${number}`);
  return { graph, record };
}

describe('models that other people exported', () => {
  const models = listInstalledModels().map((path) => [basename(path), path] as const);

  it.each(models)('such as %s are written as they are, or with one record changed', async (_name, path) => {
    await expectSame(path);
    await expectOneChange(path);
  });
});

describe.skipIf(process.env.OPTIMISE_MODEL_CASES === undefined)('the known cases', () => {
  let cases: ReturnType<typeof listCaseModels> = { models: [], unpacked: undefined };
  beforeAll(() => {
    cases = listCaseModels();
  });
  afterAll(async () => {
    if (cases.unpacked !== undefined) await rm(cases.unpacked, { recursive: true });
  });

  it('are all written as they are', async () => {
    expect(cases.models.length).toBeGreaterThan(900);
    for (const path of cases.models) await expectSame(path);
  }, 600_000);

  it('change in one record when one is edited', async () => {
    for (const path of cases.models) await expectOneChange(path);
  }, 600_000);
});
