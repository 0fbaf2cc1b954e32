/** How a number or text is stored; enums are `int32`. */
type ScalarKind = 'int32' | 'int64' | 'uint64' | 'float' | 'double' | 'string' | 'bytes';

/** The messages of ONNX; those in another are named without it: `Tensor` is `TypeProto.Tensor`. */
export type MessageKind =
  | 'AttributeProto'
  | 'Dimension'
  | 'FunctionProto'
  | 'GraphProto'
  | 'Map'
  | 'ModelProto'
  | 'NodeProto'
  | 'OperatorSetIdProto'
  | 'Optional'
  | 'Segment'
  | 'Sequence'
  | 'SparseTensor'
  | 'SparseTensorProto'
  | 'StringStringEntryProto'
  | 'Tensor'
  | 'TensorAnnotation'
  | 'TensorProto'
  | 'TensorShapeProto'
  | 'TrainingInfoProto'
  | 'TypeProto'
  | 'ValueInfoProto';

/** A field of a message. */
export type Field = {
  /** The property of the decoded message. */
  readonly name: string;
  /** Whether it may occur many times; numbers may then be packed into one occurrence. */
  readonly isList: boolean;
} & (
  | { readonly isMessage: true; readonly kind: MessageKind }
  | { readonly isMessage: false; readonly kind: ScalarKind }
);

/** The fields of a message by number. */
export type FieldTable = Readonly<Record<number, Field>>;

const scalarKinds: ReadonlySet<string> = new Set<ScalarKind>([
  ...(['int32', 'int64', 'uint64', 'float', 'double', 'string', 'bytes'] as const),
]);

function isScalar(kind: Field['kind']): kind is ScalarKind {
  return scalarKinds.has(kind);
}

function define(name: string, kind: Field['kind'], isList: boolean): Field {
  return isScalar(kind) ? { name, kind, isList, isMessage: false } : { name, kind, isList, isMessage: true };
}

const one = (name: string, kind: Field['kind']): Field => define(name, kind, false);
const many = (name: string, kind: Field['kind']): Field => define(name, kind, true);

/**
 * The fields that onnx-proto 8.0.1 decodes and writes, by message and field number; all others pass through as bytes.
 *
 * @see https://github.com/onnx/onnx/blob/v1.10.2/onnx/onnx.proto
 */
export const knownFields: Readonly<Record<MessageKind, FieldTable>> = {
  AttributeProto: {
    1: one('name', 'string'),
    2: one('f', 'float'),
    3: one('i', 'int64'),
    4: one('s', 'bytes'),
    5: one('t', 'TensorProto'),
    6: one('g', 'GraphProto'),
    7: many('floats', 'float'),
    8: many('ints', 'int64'),
    9: many('strings', 'bytes'),
    10: many('tensors', 'TensorProto'),
    11: many('graphs', 'GraphProto'),
    13: one('docString', 'string'),
    14: one('tp', 'TypeProto'),
    15: many('typeProtos', 'TypeProto'),
    20: one('type', 'int32'),
    21: one('refAttrName', 'string'),
    22: one('sparseTensor', 'SparseTensorProto'),
    23: many('sparseTensors', 'SparseTensorProto'),
  },
  ValueInfoProto: { 1: one('name', 'string'), 2: one('type', 'TypeProto'), 3: one('docString', 'string') },
  NodeProto: {
    1: many('input', 'string'),
    2: many('output', 'string'),
    3: one('name', 'string'),
    4: one('opType', 'string'),
    5: many('attribute', 'AttributeProto'),
    6: one('docString', 'string'),
    7: one('domain', 'string'),
  },
  TrainingInfoProto: {
    1: one('initialization', 'GraphProto'),
    2: one('algorithm', 'GraphProto'),
    3: many('initializationBinding', 'StringStringEntryProto'),
    4: many('updateBinding', 'StringStringEntryProto'),
  },
  ModelProto: {
    1: one('irVersion', 'int64'),
    2: one('producerName', 'string'),
    3: one('producerVersion', 'string'),
    4: one('domain', 'string'),
    5: one('modelVersion', 'int64'),
    6: one('docString', 'string'),
    7: one('graph', 'GraphProto'),
    8: many('opsetImport', 'OperatorSetIdProto'),
    14: many('metadataProps', 'StringStringEntryProto'),
    20: many('trainingInfo', 'TrainingInfoProto'),
    25: many('functions', 'FunctionProto'),
  },
  StringStringEntryProto: { 1: one('key', 'string'), 2: one('value', 'string') },
  TensorAnnotation: {
    1: one('tensorName', 'string'),
    2: many('quantParameterTensorNames', 'StringStringEntryProto'),
  },
  GraphProto: {
    1: many('node', 'NodeProto'),
    2: one('name', 'string'),
    5: many('initializer', 'TensorProto'),
    10: one('docString', 'string'),
    11: many('input', 'ValueInfoProto'),
    12: many('output', 'ValueInfoProto'),
    13: many('valueInfo', 'ValueInfoProto'),
    14: many('quantizationAnnotation', 'TensorAnnotation'),
    15: many('sparseInitializer', 'SparseTensorProto'),
  },
  TensorProto: {
    1: many('dims', 'int64'),
    2: one('dataType', 'int32'),
    3: one('segment', 'Segment'),
    4: many('floatData', 'float'),
    5: many('int32Data', 'int32'),
    6: many('stringData', 'bytes'),
    7: many('int64Data', 'int64'),
    8: one('name', 'string'),
    9: one('rawData', 'bytes'),
    10: many('doubleData', 'double'),
    11: many('uint64Data', 'uint64'),
    12: one('docString', 'string'),
    13: many('externalData', 'StringStringEntryProto'),
    14: one('dataLocation', 'int32'),
  },
  Segment: { 1: one('begin', 'int64'), 2: one('end', 'int64') },
  SparseTensorProto: {
    1: one('values', 'TensorProto'),
    2: one('indices', 'TensorProto'),
    3: many('dims', 'int64'),
  },
  TensorShapeProto: { 1: many('dim', 'Dimension') },
  Dimension: { 1: one('dimValue', 'int64'), 2: one('dimParam', 'string'), 3: one('denotation', 'string') },
  TypeProto: {
    1: one('tensorType', 'Tensor'),
    4: one('sequenceType', 'Sequence'),
    5: one('mapType', 'Map'),
    6: one('denotation', 'string'),
    8: one('sparseTensorType', 'SparseTensor'),
    9: one('optionalType', 'Optional'),
  },
  Tensor: { 1: one('elemType', 'int32'), 2: one('shape', 'TensorShapeProto') },
  Sequence: { 1: one('elemType', 'TypeProto') },
  Map: { 1: one('keyType', 'int32'), 2: one('valueType', 'TypeProto') },
  Optional: { 1: one('elemType', 'TypeProto') },
  SparseTensor: { 1: one('elemType', 'int32'), 2: one('shape', 'TensorShapeProto') },
  OperatorSetIdProto: { 1: one('domain', 'string'), 2: one('version', 'int64') },
  FunctionProto: {
    1: one('name', 'string'),
    4: many('input', 'string'),
    5: many('output', 'string'),
    6: many('attribute', 'string'),
    7: many('node', 'NodeProto'),
    8: one('docString', 'string'),
    9: many('opsetImport', 'OperatorSetIdProto'),
    10: one('domain', 'string'),
  },
};

const fieldLists = new Map(
  Object.entries(knownFields).map(([kind, fields]) => {
    const list = Object.entries(fields).map(([number, field]) => [Number(number), field] as const);
    return [kind, list] as const;
  }),
);

/**
 * Lists the known fields of a message.
 *
 * @param kind - The message.
 * @returns Number and field, in the order of the numbers.
 */
export function listFields(kind: MessageKind): readonly (readonly [number: number, field: Field])[] {
  return fieldLists.get(kind) ?? [];
}
