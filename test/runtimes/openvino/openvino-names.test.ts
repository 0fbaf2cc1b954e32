import { beforeEach, describe, expect, it } from 'vitest';
import { encode, graph, model, node, floats as stored, value } from '../../fixtures/build-model.js';
import { floats, useOpenvino } from '../../fixtures/openvino-session.js';
import { requireOpenvino } from '../../services/require-openvino.js';

const open = useOpenvino();
const add = node('Add', ['x', 'w'], ['y']);
const x = floats([2], [1, 1]);
const sum = floats([2], [2, 3]);

beforeEach(async (context) => {
  await requireOpenvino(context);
});

function build(nodes: Parameters<typeof graph>[0]['nodes'], inputs: string[], outputs: string[]): Uint8Array {
  const values = (names: string[]) => names.map((name) => value(name));
  const initializers = [stored('w', [2], [1, 2])];
  return encode(model(graph({ nodes, inputs: values(inputs), outputs: values(outputs), initializers })));
}

describe('the names of inputs and outputs', () => {
  it('are found where one tensor has several, in the order that is asked for', async () => {
    const bytes = build([add, node('Identity', ['y'], ['z'])], ['x'], ['y', 'z']);
    const session = await open(bytes, { names: { inputs: ['x'], outputs: ['z', 'y'] } });
    expect(session.outputs.map(({ name }) => name)).toEqual(['z', 'y']);
    expect(await session.run({ x })).toEqual({ y: sum, z: sum });
  });

  it('are found where an input is right away an output', async () => {
    const bytes = build([add, node('Identity', ['x'], ['q'])], ['x'], ['q', 'x', 'y']);
    const session = await open(bytes, { names: { inputs: ['x'], outputs: ['q', 'x', 'y'] } });
    expect(await session.run({ x })).toEqual({ q: x, x, y: sum });
  });

  /** Two inputs that are right away outputs, of which OpenVINO keeps the outputs' names alone. */
  function buildDropped(sizes: readonly [number, number]): Uint8Array {
    const [ofX, ofV] = sizes;
    const drop = [node('Dropout', ['x'], ['q']), node('Dropout', ['v'], ['p']), add];
    const inputs = [value('x', [ofX]), value('v', [ofV])];
    const outputs = [value('q', [ofX]), value('p', [ofV]), value('y', [2])];
    return encode(model(graph({ nodes: drop, inputs, outputs, initializers: [stored('w', [2], [1, 2])] })));
  }
  const dropped = { inputs: ['x', 'v'], outputs: ['q', 'p', 'y'] };

  it('are found where nodes without effect make an input an output', async () => {
    const drop = [node('Dropout', ['x'], ['q']), add];
    const names = { inputs: ['x'], outputs: ['q', 'y'] };
    const session = await open(build(drop, names.inputs, names.outputs), { names });
    expect(await session.run({ x })).toEqual({ q: x, y: sum });
  });

  it('are found where several inputs are made outputs, none of which takes what another does', async () => {
    const session = await open(buildDropped([2, 3]), { names: dropped });
    const v = floats([3], [7, 8, 9]);
    expect(await session.run({ x, v })).toEqual({ q: x, p: v, y: sum });
  });

  it('are not guessed where they are alike', async () => {
    await expect(open(buildDropped([2, 2]), { names: dropped })).rejects.toMatchObject({
      code: 'runtime-refused-model',
      facts: { reason: 'of its inputs `q`, `p` it cannot be told which of `x`, `v` each is: they are alike' },
    });
  });

  it('are those of the model where nobody says, and no two are the same', async () => {
    const session = await open(build([add, node('Identity', ['y'], ['z'])], ['x'], ['y', 'z']));
    expect(session.inputs.map(({ name }) => name)).toEqual(['x']);
    const names = session.outputs.map(({ name }) => name);
    expect(new Set(names).size).toBe(2);
    expect(Object.values(await session.run({ x }))).toEqual([sum, sum]);
  });

  it('may be that of an input which nothing uses', async () => {
    const bytes = build([add], ['unused', 'x'], ['y']);
    const session = await open(bytes, { names: { inputs: ['unused', 'x'], outputs: ['y'] } });
    expect(session.inputs.map(({ name }) => name)).toEqual(['unused', 'x']);
    expect(await session.run({ x, unused: x })).toEqual({ y: sum });
  });

  it('may be that of a prototype', async () => {
    const bytes = build([node('Add', ['__proto__', 'w'], ['y'])], ['__proto__'], ['y']);
    const session = await open(bytes);
    expect(await session.run(Object.fromEntries([['__proto__', x]]))).toEqual({ y: sum });
  });

  it.each([
    [{ inputs: ['x'], outputs: ['q'] }, 'it has no output `q`; it has `y`'],
    [{ inputs: ['q'], outputs: ['y'] }, 'it has no input `q`; it has `x`'],
    [{ inputs: [], outputs: ['y'] }, 'of its inputs `x` not all are named'],
  ])('that are not there are refused: %o', async (names, reason) => {
    await expect(open(build([add], ['x'], ['y']), { names })).rejects.toMatchObject({
      code: 'runtime-refused-model',
      facts: { reason },
    });
  });
});
