import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { floats, graph, longs, model, node, value } from '../fixtures/build-model.js';
import { findBodies, printNodes, printTypes, useConversions } from '../fixtures/convert-in-code.js';
import { expectClose } from '../fixtures/expect-close.js';
import { feed, runOnnx } from '../fixtures/run-onnx.js';

const convert = useConversions();
const weight = floats('k', [2], [0.5, 2]);

/** A running sum of the rows, which are given out times `k`. */
function sumRows(last: onnx.INodeProto[] = []): onnx.IGraphProto {
  return graph({
    inputs: [value('sum'), value('row')],
    nodes: [node('Add', ['sum', 'row'], ['next']), node('Mul', ['next', 'k'], ['seen']), ...last],
    outputs: [value('next'), value(last.at(-1)?.output?.[0] ?? 'seen')],
  });
}

describe('a Scan of opset 9', () => {
  const inputs = [value('s'), value('rows', [3, 2])];
  const outputs = [value('end'), value('all', [3, 2])];
  const feeds = { s: feed([2], [1, 1]), rows: feed([3, 2], [1, 2, 3, 4, 5, 6]) };

  it('computes in FP16, states and rows', async () => {
    const body = sumRows();
    const nodes = [node('Scan', ['s', 'rows'], ['end', 'all'], { body, num_scan_inputs: 1 })];
    const main = graph({ inputs, outputs, nodes, initializers: [weight] });
    const { graph: converted, target } = await convert(model(main));
    expect(printNodes(converted)).toEqual([
      'Cast s -> s_fp16',
      'Cast rows -> rows_fp16',
      'Scan s_fp16,rows_fp16 -> end_fp16,all_fp16',
      'Cast end_fp16 -> end',
      'Cast all_fp16 -> all',
    ]);
    expect(findBodies(converted, 'Scan').map((inner) => printTypes(inner.input))).toEqual(['sum:10 row:10']);
    expect(await runOnnx(target, feeds)).toEqual({ end: [10, 13], all: [1, 6, 2.5, 14, 5, 26] });
  });

  it('gives out FP32 rows while its state is FP16', async () => {
    const body = sumRows([node('CumSum', ['seen', 'axis'], ['total'])]);
    const nodes = [node('Scan', ['s', 'rows'], ['end', 'all'], { body, num_scan_inputs: 1 })];
    const main = graph({ inputs, outputs, nodes, initializers: [weight, longs('axis', [], [0])] });
    const converted = await convert(model(main, { opset: 13 }));
    expect(printNodes(converted.graph)).toEqual([
      'Cast s -> s_fp16',
      'Cast rows -> rows_fp16',
      'Scan s_fp16,rows_fp16 -> end_fp16,all',
      'Cast end_fp16 -> end',
    ]);
    const [inner = {}] = findBodies(converted.graph, 'Scan');
    expect(printTypes(inner.output)).toBe('next:10 total:1');
    await expectClose(converted, feeds);
  });
});

describe('a Scan of opset 8', () => {
  const inputs = [value('s', [1, 2]), value('rows', [1, 3, 2])];
  const outputs = [value('end', [1, 2]), value('all', [1, 3, 2])];

  it.each(['without', 'with'])('computes in FP16, %s the lengths of its sequences', async (lengths) => {
    const first = lengths === 'with' ? 'lengths' : '';
    const nodes = [
      node('Scan', [first, 's', 'rows'], ['end', 'all'], { body: sumRows(), num_scan_inputs: 1 }),
    ];
    const initializers = lengths === 'with' ? [weight, longs('lengths', [1], [3])] : [weight];
    const main = graph({ inputs, outputs, nodes, initializers });
    const { graph: converted, target } = await convert(model(main, { opset: 8 }));
    expect(printNodes(converted)[2]).toBe(`Scan ${first},s_fp16,rows_fp16 -> end_fp16,all_fp16`);
    const feeds = { s: feed([1, 2], [1, 1]), rows: feed([1, 3, 2], [1, 2, 3, 4, 5, 6]) };
    expect(await runOnnx(target, feeds)).toEqual({ end: [10, 13], all: [1, 6, 2.5, 14, 5, 26] });
  });
});

describe('a Scan that hands its body one value too many', () => {
  it('is left as it is, with all that is in it', async () => {
    const main = graph({
      inputs: [value('s', [2]), value('rows', [3, 2])],
      outputs: [value('end', [2]), value('all', [3, 2])],
      nodes: [node('Scan', ['s', 'rows', 's'], ['end', 'all'], { body: sumRows(), num_scan_inputs: 1 })],
      initializers: [weight],
    });
    const { graph: converted, result } = await convert(model(main, { opset: 13 }));
    expect(printNodes(converted)).toContain('Scan s,rows,s -> end,all');
    expect(result.nodes.fp16).toBe(0);
  });
});
