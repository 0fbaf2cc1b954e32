import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { graph, model, node, ramp, value } from '../fixtures/build-model.js';
import { findBodies, findTensor, printNodes, useConversions } from '../fixtures/convert-in-code.js';
import { expectClose } from '../fixtures/expect-close.js';
import { bool, type Feeds, long } from '../fixtures/run-onnx.js';

const convert = useConversions();
const rows: Feeds = { i: long([2], [3, 39]) };

function build(nodes: onnx.INodeProto[], outputs = ['y']): onnx.IModelProto {
  return model(
    graph({
      inputs: [value('i', [2], 7)],
      outputs: outputs.map((name) => value(name, ['a', 'b'])),
      nodes,
      initializers: [ramp('table', [40, 8])],
    }),
  );
}

const convertWeights = (content: onnx.IModelProto) => convert(content, { precision: 'fp16-weights' });

describe('a table that only Gather reads', () => {
  it('is cast behind the Gather, so that a few rows are expanded instead of all', async () => {
    const lookup = node('Gather', ['table', 'i'], ['e']);
    const converted = await convertWeights(build([lookup, node('Neg', ['e'], ['y'])]));
    expect(printNodes(converted.graph)).toEqual([
      'Gather table,i -> e_fp16',
      'Cast e_fp16 -> e',
      'Neg e -> y',
    ]);
    expect(findTensor(converted.graph, 'table')).toMatchObject({ dataType: 10 });
    expect(converted.result).toMatchObject({ castsAdded: 1, weights: { storedAsFp16: 1 } });
    await expectClose(converted, rows);
  });

  it('is cast behind each of several, also into an output', async () => {
    const nodes = [node('Gather', ['table', 'i'], ['y']), node('Gather', ['table', 'i'], ['z'], { axis: 1 })];
    const converted = await convertWeights(build(nodes, ['y', 'z']));
    expect(printNodes(converted.graph)).toEqual([
      'Gather table,i -> y_fp16',
      'Cast y_fp16 -> y',
      'Gather table,i -> z_fp16',
      'Cast z_fp16 -> z',
    ]);
    await expectClose(converted, { i: long([2], [3, 7]) });
  });

  it('is so from within a body too', async () => {
    const branch = (name: string) =>
      graph({ nodes: [node('Gather', ['table', 'i'], [name])], outputs: [value(name, ['a', 'b'])] });
    const content = build([node('If', ['c'], ['y'], { then_branch: branch('t'), else_branch: branch('e') })]);
    content.graph?.input?.push(value('c', [], 9));
    const converted = await convertWeights(content);
    expect(printNodes(converted.graph)).toEqual(['If c -> y']);
    expect(findBodies(converted.graph, 'If').map(printNodes)).toEqual([
      ['Gather table,i -> t_fp16', 'Cast t_fp16 -> t'],
      ['Gather table,i -> e_fp16', 'Cast e_fp16 -> e'],
    ]);
    await expectClose(converted, { ...rows, c: bool(true) });
  });
});

describe('a table that something else reads', () => {
  it('is cast before all', async () => {
    const nodes = [
      node('Gather', ['table', 'i'], ['e']),
      node('Transpose', ['table'], ['t']),
      node('MatMul', ['e', 't'], ['y']),
    ];
    const converted = await convertWeights(build(nodes));
    expect(printNodes(converted.graph)).toEqual([
      'Cast table_fp16 -> table',
      'Gather table,i -> e',
      'Transpose table -> t',
      'MatMul e,t -> y',
    ]);
    await expectClose(converted, rows);
  });

  it('stays FP32 when that is the graph that gives it out', async () => {
    const content = build([node('Gather', ['table', 'i'], ['y'])], ['y', 'table']);
    const converted = await convertWeights(content);
    expect(printNodes(converted.graph)).toEqual(['Gather table,i -> y']);
    expect(converted.result.weights.keptFp32).toMatchObject([{ name: 'table', reason: 'graph output' }]);
  });

  it('is also not looked up in FP16 when it must stay FP32', async () => {
    const content = build([node('Gather', ['table', 'i'], ['y'])]);
    const { graph: converted } = await convert(content, { precision: 'fp16-weights', minWeightBytes: 1281 });
    expect(printNodes(converted)).toEqual(['Gather table,i -> y']);
    const other = await convert(content, { precision: 'fp16-weights', minWeightBytes: 1280 });
    expect(printNodes(other.graph)).toHaveLength(2);
  });
});
