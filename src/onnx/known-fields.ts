/** How a field is stored: a message of that name, or a kind of scalar (`packed`: numbers, packed or one by one). */
export type FieldKind = 'varint' | 'fixed32' | 'fixed64' | 'bytes' | 'packed' | (string & {});

/**
 * The fields that onnx-proto 8.0.1 decodes and writes, by message and field number; it drops all others.
 *
 * @see https://github.com/onnx/onnx/blob/v1.10.2/onnx/onnx.proto
 */
export const knownFields: Readonly<Record<string, Readonly<Record<number, FieldKind>>>> = {
  AttributeProto: { 1: 'bytes', 2: 'fixed32', 3: 'varint', 4: 'bytes', 5: 'TensorProto', 6: 'GraphProto', 7: 'packed', 8: 'packed', 9: 'bytes', 10: 'TensorProto', 11: 'GraphProto', 13: 'bytes', 14: 'TypeProto', 15: 'TypeProto', 20: 'varint', 21: 'bytes', 22: 'SparseTensorProto', 23: 'SparseTensorProto' },
  ValueInfoProto: { 1: 'bytes', 2: 'TypeProto', 3: 'bytes' },
  NodeProto: { 1: 'bytes', 2: 'bytes', 3: 'bytes', 4: 'bytes', 5: 'AttributeProto', 6: 'bytes', 7: 'bytes' },
  TrainingInfoProto: { 1: 'GraphProto', 2: 'GraphProto', 3: 'StringStringEntryProto', 4: 'StringStringEntryProto' },
  ModelProto: { 1: 'varint', 2: 'bytes', 3: 'bytes', 4: 'bytes', 5: 'varint', 6: 'bytes', 7: 'GraphProto', 8: 'OperatorSetIdProto', 14: 'StringStringEntryProto', 20: 'TrainingInfoProto', 25: 'FunctionProto' },
  StringStringEntryProto: { 1: 'bytes', 2: 'bytes' },
  TensorAnnotation: { 1: 'bytes', 2: 'StringStringEntryProto' },
  GraphProto: { 1: 'NodeProto', 2: 'bytes', 5: 'TensorProto', 10: 'bytes', 11: 'ValueInfoProto', 12: 'ValueInfoProto', 13: 'ValueInfoProto', 14: 'TensorAnnotation', 15: 'SparseTensorProto' },
  TensorProto: { 1: 'packed', 2: 'varint', 3: 'Segment', 4: 'packed', 5: 'packed', 6: 'bytes', 7: 'packed', 8: 'bytes', 9: 'bytes', 10: 'packed', 11: 'packed', 12: 'bytes', 13: 'StringStringEntryProto', 14: 'varint' },
  Segment: { 1: 'varint', 2: 'varint' },
  SparseTensorProto: { 1: 'TensorProto', 2: 'TensorProto', 3: 'packed' },
  TensorShapeProto: { 1: 'Dimension' },
  Dimension: { 1: 'varint', 2: 'bytes', 3: 'bytes' },
  TypeProto: { 1: 'Tensor', 4: 'Sequence', 5: 'Map', 6: 'bytes', 8: 'SparseTensor', 9: 'Optional' },
  Tensor: { 1: 'varint', 2: 'TensorShapeProto' },
  Sequence: { 1: 'TypeProto' },
  Map: { 1: 'varint', 2: 'TypeProto' },
  Optional: { 1: 'TypeProto' },
  SparseTensor: { 1: 'varint', 2: 'TensorShapeProto' },
  OperatorSetIdProto: { 1: 'bytes', 2: 'varint' },
  FunctionProto: { 1: 'bytes', 4: 'bytes', 5: 'bytes', 6: 'bytes', 7: 'NodeProto', 8: 'bytes', 9: 'OperatorSetIdProto', 10: 'bytes' },
};
