import { type AttributeProto, attributeTypes, type NodeProto, type TensorProto } from './proto.js';

/**
 * Builds a Cast node as it has been since opset 6.
 *
 * @param from - The value to read.
 * @param to - The name of the result.
 * @param typeCode - `TensorProto.DataType` of the result.
 * @returns The node, without a name, as node names need not exist and must be unique where they do.
 */
export function makeCast(from: string, to: string, typeCode: number): NodeProto {
  return { opType: 'Cast', input: [from], output: [to], attribute: [makeTypeAttribute(typeCode)] };
}

/**
 * Builds the attribute that names the type of a result.
 *
 * @param typeCode - `TensorProto.DataType` of the result.
 * @param name - What the operator calls it: `to` for a Cast.
 * @returns The attribute.
 */
export function makeTypeAttribute(typeCode: number, name = 'to'): AttributeProto {
  return { name, type: attributeTypes.int, i: typeCode };
}

/**
 * Builds an attribute that holds a tensor.
 *
 * @param name - Its name, such as `value`.
 * @param tensor - The tensor.
 * @returns The attribute.
 */
export function makeTensorAttribute(name: string, tensor: TensorProto): AttributeProto {
  return { name, type: attributeTypes.tensor, t: tensor };
}

/**
 * Finds an attribute of a node.
 *
 * @param node - The node.
 * @param name - The attribute's name.
 * @returns The attribute, or undefined.
 */
export function findAttribute(node: NodeProto, name: string): AttributeProto | undefined {
  return node.attribute?.find((attribute) => attribute.name === name);
}
