const arrays = {
  float32: Float32Array,
  float64: Float64Array,
  float16: Uint16Array,
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  bool: Uint8Array,
};

/**
 * Makes one input of zeros per input of the model; a symbolic axis is 1 long.
 *
 * @param {readonly { name: string, type?: string, dims: readonly (number | string)[] }[]} inputs - What the model takes.
 * @returns {Record<string, { type: string, dims: number[], data: ArrayLike<number> | ArrayLike<bigint> }>} By name.
 */
export function makeFeeds(inputs) {
  return Object.fromEntries(
    inputs.map(({ name, type = 'float32', dims }) => {
      const shape = dims.map((dim) => (typeof dim === 'number' ? dim : 1));
      const count = shape.reduce((product, dim) => product * dim, 1);
      const TypedArray = arrays[type];
      if (TypedArray === undefined) throw new Error(`no zeros of type ${type} for input ${name}`);
      return [name, { type, dims: shape, data: new TypedArray(count) }];
    }),
  );
}
