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

/**
 * Finds the FLOAT inputs and outputs that may be FLOAT16: a type variable may when none of its slots is FLOAT only.
 * @param {{ signature: object, slots: TypedSlot[] }} found - Of {@link slotsOf}.
 * @returns {TypedSlot[]} Those inputs and outputs.
 */
export function halfSlots({ signature, slots }) {
  const all = [...signature.inputs, ...signature.outputs];
  const allows = (slot) =>
    slot.kind === 'variable' && all.every((other) => other.name !== slot.name || other.allowsHalf);
  return slots.filter(({ slot, type }) => type === 'float32' && allows(slot));
}
