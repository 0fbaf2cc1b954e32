import { dataTypeOf } from './element-type.js';
import { type AttributeProto, attributeTypes, type NodeProto, type TensorProto } from './proto.js';

/**
 * Builds a Cast node.
 *
 * @param from - The value to read.
 * @param to - The name of the result.
 * @param typeCode - `TensorProto.DataType` of the result.
 * @param opset - Version of the default domain: before 6, Cast named its type by a string.
 * @returns The node, without a name, as node names need not exist and must be unique where they do.
 */
export function makeCast(from: string, to: string, typeCode: number, opset: number): NodeProto {
  const attribute: AttributeProto =
    opset > 0 && opset < 6
      ? {
          name: 'to',
          type: attributeTypes.string,
          s: Buffer.from(dataTypeOf(typeCode)?.onnxName.toUpperCase() ?? ''),
        }
      : { name: 'to', type: attributeTypes.int, i: typeCode };
  return { opType: 'Cast', input: [from], output: [to], attribute: [attribute] };
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
