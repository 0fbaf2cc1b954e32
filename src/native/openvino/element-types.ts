/**
 * `ov_element_type_e` from 0 upwards, as numbered since 2025.1.
 *
 * @see https://github.com/openvinotoolkit/openvino/blob/2026.4.1/src/bindings/c/include/openvino/c/ov_common.h
 */
const typeNames = [
  'dynamic',
  'boolean',
  'bf16',
  'f16',
  'f32',
  'f64',
  'i4',
  'i8',
  'i16',
  'i32',
  'i64',
  'u1',
  'u2',
  'u3',
  'u4',
  'u6',
  'u8',
  'u16',
  'u32',
  'u64',
  'nf4',
  'f8e4m3',
  'f8e5m2',
  'string',
  'f4e2m1',
  'f8e8m0',
] as const;

/** An element type in OpenVINO's words. */
export type OpenvinoType = (typeof typeNames)[number];

/**
 * Finds the number of an element type.
 *
 * @param type - The type.
 * @returns Its number.
 */
export function numberOfType(type: OpenvinoType): number {
  return typeNames.indexOf(type);
}

/**
 * Finds the element type of a number.
 *
 * @param number - The number.
 * @returns The type's name; `type N` for one that is not known here.
 */
export function nameOfType(number: number): string {
  return typeNames[number] ?? `type ${number}`;
}
