import type { TensorProto } from './proto.js';

const storageFields = [
  'rawData',
  'floatData',
  'int32Data',
  'int64Data',
  'doubleData',
  'uint64Data',
  'externalData',
  'dataLocation',
] as const;

/** Where a tensor's bytes are in a data file beside the model. */
export type DataFileRange = {
  readonly location: string;
  readonly offset: number;
  readonly sizeBytes: number;
};

/**
 * Stores a tensor's bytes inside the model, in `raw_data`, wherever they were before.
 *
 * @param tensor - Changed in place.
 * @param dataType - `TensorProto.DataType` of the bytes.
 * @param bytes - Little-endian, row-major.
 */
export function storeInline(tensor: TensorProto, dataType: number, bytes: Uint8Array): void {
  clearStorage(tensor);
  tensor.dataType = dataType;
  tensor.rawData = bytes;
}

/**
 * Says that a tensor's bytes are in a data file beside the model.
 *
 * @param tensor - Changed in place.
 * @param dataType - `TensorProto.DataType` of the bytes.
 * @param range - Where they are.
 */
export function storeExternal(tensor: TensorProto, dataType: number, range: DataFileRange): void {
  clearStorage(tensor);
  tensor.dataType = dataType;
  tensor.dataLocation = 1;
  tensor.externalData = [
    { key: 'location', value: range.location },
    { key: 'offset', value: String(range.offset) },
    { key: 'length', value: String(range.sizeBytes) },
  ];
}

function clearStorage(tensor: TensorProto): void {
  for (const field of storageFields) delete tensor[field];
}
