import type { TensorProto } from './proto.js';

/** The elements of a tensor that were not read: the content of one field of the model file. */
export type StoredPayload = {
  /** Its number in TensorProto, such as 9 for raw_data. */
  readonly field: number;
  /** From the beginning of the `.onnx` file, bytes. */
  readonly offset: number;
  readonly sizeBytes: number;
};

/** Under it a tensor says where its payload is. */
const stored = Symbol('stored');

type Stored = TensorProto & { [stored]?: StoredPayload };

/**
 * Says where the elements of a tensor are that were left in the model file; copies of the tensor say so too.
 *
 * @param tensor - A decoded or edited tensor.
 * @returns The place; undefined for a tensor whose own fields hold its elements, and for one without.
 */
export function storedAt(tensor: TensorProto): StoredPayload | undefined {
  return (tensor as Stored)[stored];
}

/**
 * Notes on a tensor that is being decoded where its elements are.
 *
 * @param tensor - Changed in place.
 * @param place - The field.
 */
export function noteStored(tensor: TensorProto, place: StoredPayload): void {
  (tensor as Stored)[stored] = place;
}
