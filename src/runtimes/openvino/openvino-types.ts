import type { ElementType, TensorData } from '../../lib/tensor.js';
import type { OpenvinoType } from '../../native/openvino/element-types.js';

type Elements = Exclude<TensorData, readonly string[]>;
type ElementsClass = {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBuffer): Elements;
};
type KnownType = { readonly ours: ElementType; readonly elements: ElementsClass };

const knownTypes = {
  f32: { ours: 'float32', elements: Float32Array },
  f16: { ours: 'float16', elements: Uint16Array },
  f64: { ours: 'float64', elements: Float64Array },
  bf16: { ours: 'bfloat16', elements: Uint16Array },
  i8: { ours: 'int8', elements: Int8Array },
  i16: { ours: 'int16', elements: Int16Array },
  i32: { ours: 'int32', elements: Int32Array },
  i64: { ours: 'int64', elements: BigInt64Array },
  u8: { ours: 'uint8', elements: Uint8Array },
  u16: { ours: 'uint16', elements: Uint16Array },
  u32: { ours: 'uint32', elements: Uint32Array },
  u64: { ours: 'uint64', elements: BigUint64Array },
  boolean: { ours: 'bool', elements: Uint8Array },
} as const satisfies Partial<Record<OpenvinoType, KnownType>>;

/** A type of OpenVINO's that tensors of ours can have. */
export type SharedType = keyof typeof knownTypes;

/**
 * Tells whether tensors of ours can have a type.
 *
 * @param type - In OpenVINO's words.
 * @returns Whether they can.
 */
export function isSharedType(type: string): type is SharedType {
  return Object.hasOwn(knownTypes, type);
}

/**
 * Translates a type.
 *
 * @param type - In OpenVINO's words.
 * @returns In ours.
 */
export function toElementType(type: SharedType): ElementType {
  return knownTypes[type].ours;
}

/**
 * Makes elements of bytes.
 *
 * @param type - Their type in OpenVINO's words.
 * @param bytes - The bytes, nobody else's.
 * @returns The elements over the same memory.
 */
export function viewElements(type: SharedType, bytes: ArrayBuffer): Elements {
  return new knownTypes[type].elements(bytes);
}

/**
 * Takes elements as memory that OpenVINO can read.
 *
 * @param name - Of the input, for the message.
 * @param type - In OpenVINO's words.
 * @param data - What was given for it; a handler in plain JavaScript may give anything that has a length.
 * @returns The same memory; a copy of what could change its size while it is read.
 * @throws An error when it is no typed array with elements of this size.
 */
export function takeMemory(name: string, type: SharedType, data: TensorData): Elements {
  const { elements, ours } = knownTypes[type];
  const isFit = ArrayBuffer.isView(data) && data.BYTES_PER_ELEMENT === elements.BYTES_PER_ELEMENT;
  if (!isFit) throw new Error(`input \`${name}\` is ${ours}, whose elements are a ${elements.name}`);
  const { resizable, growable } = data.buffer as {
    readonly resizable?: boolean;
    readonly growable?: boolean;
  };
  return resizable || growable ? data.slice() : data;
}
