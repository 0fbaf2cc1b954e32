import type { onnx } from 'onnx-proto';
import { requirePackage } from '../lib/require-package.js';
import type { MessageKind } from './known-fields.js';

const onnxProto = requirePackage('onnx-proto') as typeof import('onnx-proto');

/** ONNX's whole model, as onnx-proto decodes it. */
export type ModelProto = onnx.ModelProto;
/** A graph: the main one or a body. */
export type GraphProto = onnx.IGraphProto;
/** One operator call. */
export type NodeProto = onnx.INodeProto;
/** A stored tensor. */
export type TensorProto = onnx.ITensorProto;
/** An attribute of a node. */
export type AttributeProto = onnx.IAttributeProto;
/** A function of the model's own. */
export type FunctionProto = onnx.IFunctionProto;
/** A declared input, output or inner value. */
export type ValueInfoProto = onnx.IValueInfoProto;
/** A declared type. */
export type TypeProto = onnx.ITypeProto;

/** The messages' codecs; their only door. */
export const codecs: Pick<typeof onnx, 'ModelProto' | 'TensorProto'> = {
  ModelProto: onnxProto.onnx.ModelProto,
  TensorProto: onnxProto.onnx.TensorProto,
};

/** What decodes and encodes one kind of message. */
export type Codec = {
  readonly decode: (bytes: Uint8Array) => object;
  readonly encode: (message: object) => { readonly finish: () => Uint8Array };
};

const { TensorProto, TensorShapeProto, TypeProto } = onnxProto.onnx;

/** The codecs of all messages, for where the kind is known at run time only. */
export const codecOf: Readonly<Record<MessageKind, Codec>> = {
  ...onnxProto.onnx,
  Dimension: TensorShapeProto.Dimension,
  Map: TypeProto.Map,
  Optional: TypeProto.Optional,
  Segment: TensorProto.Segment,
  Sequence: TypeProto.Sequence,
  SparseTensor: TypeProto.SparseTensor,
  Tensor: TypeProto.Tensor,
};

/** The numbers of `AttributeProto.type` that we write. */
export const attributeTypes = { float: 1, int: 2, string: 3, tensor: 4 } as const;
/** The numbers of `TensorProto.data_type` that we convert between. */
export const dataTypes = { float: 1, float16: 10 } as const;
