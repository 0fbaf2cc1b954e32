import type { MessageKind } from './known-fields.js';

/** The fields of a tensor that hold its elements, by number. */
export const payloadFields = {
  ...{ floats: 4, int32s: 5, strings: 6, int64s: 7, raw: 9, doubles: 10, uint64s: 11 },
} as const;

/** The fields that say where elements in another file are. */
const externalFields = { data: 13, location: 14 } as const;

const payloadNumbers: ReadonlySet<number> = new Set(Object.values(payloadFields));

/** The fields that say what a tensor holds or where that is, by number. */
export const contentFields: ReadonlySet<number> = new Set([
  ...Object.values(payloadFields),
  ...Object.values(externalFields),
]);

/**
 * Says whether a field holds elements of a tensor.
 *
 * @param message - The message that the field is in.
 * @param number - Its number.
 * @returns Whether it does.
 */
export function isPayloadField(message: MessageKind, number: number): boolean {
  return message === 'TensorProto' && payloadNumbers.has(number);
}

const tensorHolders: ReadonlySet<string> = new Set<MessageKind>([
  ...(['AttributeProto', 'FunctionProto', 'GraphProto', 'ModelProto', 'NodeProto'] as const),
  ...(['SparseTensorProto', 'TensorProto', 'TrainingInfoProto'] as const),
]);

/**
 * Says whether there may be tensors in a message.
 *
 * @param kind - The message.
 * @returns Whether it is a tensor, or holds some at any depth.
 */
export function mayHoldTensors(kind: MessageKind): boolean {
  return tensorHolders.has(kind);
}
