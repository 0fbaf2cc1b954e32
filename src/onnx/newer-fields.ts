import type { UnknownField } from './scan-fields.js';

/**
 * Fields that ONNX has had since the schema of onnx-proto, by message and number.
 *
 * @see https://github.com/onnx/onnx/blob/v1.21.0/onnx/onnx-ml.proto
 */
const newerFields: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  ModelProto: { 26: 'configuration' },
  GraphProto: { 16: 'metadata_props' },
  NodeProto: { 8: 'overload', 9: 'metadata_props', 10: 'device_configurations' },
  FunctionProto: { 11: 'attribute_proto', 12: 'value_info', 13: 'overload', 14: 'metadata_props' },
  TensorProto: { 16: 'metadata_props' },
  ValueInfoProto: { 4: 'metadata_props' },
  TypeProto: { 7: 'opaque_type' },
};

/** Fields of one message that are not decoded and pass through a conversion as they are. */
export type PassedField = {
  /** Such as `NodeProto`. */
  readonly message: string;
  readonly field: number;
  /** As ONNX calls it; null for one that is not ONNX's. */
  readonly name: string | null;
  /** In the whole file. */
  readonly count: number;
};

/**
 * Adds up the fields that are not decoded, by the message that they are in.
 *
 * @param fields - As they were found.
 * @returns One entry per message and field, in the order of the file.
 */
export function namePassedFields(fields: readonly UnknownField[]): PassedField[] {
  const passed = new Map<string, PassedField>();
  for (const { path, field, count } of fields) {
    const message = path.split('/').at(-1) ?? path;
    const key = `${message} ${field}`;
    const name = newerFields[message]?.[field] ?? null;
    passed.set(key, { message, field, name, count: count + (passed.get(key)?.count ?? 0) });
  }
  return [...passed.values()];
}
