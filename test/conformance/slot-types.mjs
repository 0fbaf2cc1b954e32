// What the slot table says of one node.
import { normaliseDomain } from '../../dist/onnx/graph-walk.js';
import { calledFunction } from '../../dist/onnx/infer-types.js';
import { findSignature, slotAt } from '../../dist/onnx/operator-signature.js';

/**
 * One input or output of a node that is there, with its slot.
 * @typedef {{ name: string, index: number, side: 'input' | 'output', slot: import('../../dist/onnx/operator-signature.js').Slot, type: string }} TypedSlot
 */

/**
 * Lists the inputs and outputs of a node with their slots and types.
 * @param {import('onnx-proto').onnx.INodeProto} node - The node.
 * @param {import('../../dist/onnx/infer-types.js').TypeScope} types - Of its scope.
 * @param {import('../../dist/onnx/infer-types.js').TypingModel} typing - Functions and opsets of the model.
 * @returns {{ signature: object, slots: TypedSlot[] } | undefined} Undefined for calls and operators that the table lacks.
 */
export function slotsOf(node, types, typing) {
  if (calledFunction(node, typing) !== undefined) return undefined;
  const domain = normaliseDomain(node.domain);
  const signature = findSignature(domain, node.opType ?? '', typing.opsets.get(domain) ?? 0);
  if (signature === undefined) return undefined;
  const slots = ['input', 'output'].flatMap((side) =>
    (node[side] ?? []).flatMap((name, index) => {
      const slot = slotAt(signature[`${side}s`], index);
      return name === '' || slot === undefined ? [] : [{ name, index, side, slot, type: types.get(name) }];
    }),
  );
  return { signature, slots };
}

/** Operators that read a tensor, but not its numbers, or whose result is the bits of the numbers. */
const numberless = new Set(['Shape', 'Size', 'BitCast']);
/**
 * What a Cast to FLOAT may read and still give FLOAT16 in its place; a double, for one, is left alone. A Cast to anything
 * else takes its input as it is held, so that there is nothing to convert.
 */
const castSources = /^(float16|float32|bool|u?int(8|16|32|64))$/;

/**
 * Finds the FLOAT inputs and outputs that the slot table allows to be FLOAT16: those of a type variable none of whose slots
 * is FLOAT only, and all of whose inputs are known to be FLOAT.
 * @param {import('onnx-proto').onnx.INodeProto} node - The node.
 * @param {{ signature: object, slots: TypedSlot[] }} found - Of {@link slotsOf}.
 * @returns {TypedSlot[]} Those inputs and outputs; none for a node that computes with no numbers.
 */
export function halfSlots(node, { signature, slots }) {
  const all = [...signature.inputs, ...signature.outputs];
  // What is in a sequence has a type that no slot shows.
  if (numberless.has(node.opType) || all.some(({ kind }) => kind === 'not-a-tensor')) return [];
  const isCast = ['Cast', 'CastLike'].includes(node.opType);
  const givesFloat = slots.some(({ side, type }) => side === 'output' && type === 'float32');
  if (isCast && !(givesFloat && castSources.test(slots[0]?.type))) return [];
  const isAllowed = (name) =>
    all.every((slot) => slot.name !== name || slot.allowsHalf) &&
    slots.every(
      ({ side, slot, type }) =>
        side === 'output' || slot.name !== name || slot.repeats === 'each' || type === 'float32',
    );
  return slots.filter(
    ({ slot, type }) => slot.kind === 'variable' && type === 'float32' && isAllowed(slot.name),
  );
}
