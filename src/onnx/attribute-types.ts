import { findAttribute } from './build-node.js';
import { dataTypeNamed, dataTypeOf } from './element-type.js';
import type { AttributeProto, NodeProto } from './proto.js';
import { typeNamed, type ValueType } from './value-type.js';

type Rule = { readonly attribute: string; readonly fallback: ValueType | 'first-input' | 'second-input' };

/** Operators whose output type an attribute names, and what it is without the attribute. */
const rules: Readonly<Record<string, Rule>> = {
  Cast: { attribute: 'to', fallback: 'unknown' },
  BitCast: { attribute: 'to', fallback: 'unknown' },
  EyeLike: { attribute: 'dtype', fallback: 'first-input' },
  RandomNormal: { attribute: 'dtype', fallback: 'float32' },
  RandomUniform: { attribute: 'dtype', fallback: 'float32' },
  RandomNormalLike: { attribute: 'dtype', fallback: 'first-input' },
  RandomUniformLike: { attribute: 'dtype', fallback: 'first-input' },
  Bernoulli: { attribute: 'dtype', fallback: 'first-input' },
  Multinomial: { attribute: 'dtype', fallback: 'int32' },
  BlackmanWindow: { attribute: 'output_datatype', fallback: 'float32' },
  HammingWindow: { attribute: 'output_datatype', fallback: 'float32' },
  HannWindow: { attribute: 'output_datatype', fallback: 'float32' },
  MelWeightMatrix: { attribute: 'output_datatype', fallback: 'float32' },
  DequantizeLinear: { attribute: 'output_dtype', fallback: 'second-input' },
  LayerNormalization: { attribute: 'stash_type', fallback: 'float32' },
  QuantizeLinear: { attribute: 'output_dtype', fallback: 'uint8' },
};

/**
 * Finds the output type of an operator that sets it by an attribute.
 *
 * @param node - The node.
 * @param inputs - The types of its inputs, as far as they are known.
 * @returns The type; undefined when no attribute sets the type of this operator.
 */
export function attributeOutputType(
  node: NodeProto,
  inputs: readonly ValueType[] = [],
): ValueType | undefined {
  const opType = node.opType ?? '';
  if (opType === 'Constant') return constantType(node);
  if (opType === 'ConstantOfShape') {
    const value = findAttribute(node, 'value');
    return value === undefined ? 'float32' : codeType(value.t?.dataType);
  }
  const rule = Object.hasOwn(rules, opType) ? rules[opType] : undefined;
  if (rule === undefined) return undefined;
  const attribute = findAttribute(node, rule.attribute);
  if (attribute !== undefined && !isUndefined(attribute)) return namedType(attribute);
  const source = ['first-input', 'second-input'].indexOf(rule.fallback);
  return source === -1 ? (rule.fallback as ValueType) : (inputs[source] ?? 'unknown');
}

/** A type that is written out as UNDEFINED says as much as one that is left out. */
function isUndefined({ i, s, refAttrName }: AttributeProto): boolean {
  return Number(i ?? 0) === 0 && (s?.length ?? 0) === 0 && !refAttrName;
}

/**
 * Finds the attribute by which an operator is told its output type.
 *
 * @param opType - An operator of the default domain.
 * @returns Its name, such as `dtype`; undefined for operators that have none.
 */
export function attributeNaming(opType: string): string | undefined {
  return Object.hasOwn(rules, opType) ? rules[opType]?.attribute : undefined;
}

function constantType(node: NodeProto): ValueType {
  const [attribute] = node.attribute ?? [];
  switch (attribute?.name) {
    case 'value':
      return codeType(attribute.t?.dataType);
    case 'sparse_value':
      return codeType(attribute.sparseTensor?.values?.dataType);
    case 'value_float':
    case 'value_floats':
      return 'float32';
    case 'value_int':
    case 'value_ints':
      return 'int64';
    case 'value_string':
    case 'value_strings':
      return 'string';
    default:
      return 'unknown';
  }
}

/** A reference to a function's attribute has no value here. Before opset 6, Cast named its type by a string. */
function namedType(attribute: AttributeProto): ValueType {
  if (attribute.refAttrName) return 'unknown';
  if (attribute.s !== null && attribute.s !== undefined && attribute.s.length > 0) {
    return typeNamed(dataTypeNamed(Buffer.from(attribute.s).toString('utf8'))?.onnxName ?? '');
  }
  return codeType(Number(attribute.i ?? 0));
}

function codeType(code: number | null | undefined): ValueType {
  return typeNamed(dataTypeOf(code)?.onnxName ?? '');
}
