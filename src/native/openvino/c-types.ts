import type { Koffi } from '../open-koffi.js';

/** Address of something that OpenVINO made. */
export type Handle = bigint;
/** Where a function puts its result. */
export type Out<Value> = [Value | null];
/** `ov_shape_t`; the sizes are 64-bit integers. */
export type CShape = { readonly rank: number; readonly dims: Handle | BigInt64Array | null };
/** `ov_partial_shape_t`; each axis is two 64-bit integers, from and to. */
export type CPartialShape = {
  readonly rank: { readonly min: number; readonly max: number };
  readonly dims: Handle | null;
};
/** `ov_version_t`. */
export type CVersion = { readonly buildNumber: Handle | null; readonly description: Handle | null };

/** A C function; `async` runs it on another thread, and calls its last argument when it has returned. */
export type CFunction<Args extends readonly unknown[], Result> = ((...args: Args) => Result) & {
  readonly async: (...args: [...Args, (error: unknown, result: Result) => void]) => void;
};

/** What values of each type are in JavaScript. */
type Values = {
  /** 0, or what went wrong. */
  status: number;
  void: undefined;
  text: string | null;
  size: number;
  /** `ov_element_type_e`. */
  type: number;
  pointer: Handle | null;
  memory: ArrayBufferView;
  outPointer: Out<Handle>;
  outSize: Out<number>;
  outType: Out<number>;
  /** By value. */
  shape: CShape;
  shapePointer: CShape;
  outShape: Partial<CShape>;
  partialShapePointer: CPartialShape;
  outPartialShape: Partial<CPartialShape>;
  versionPointer: CVersion;
  outVersion: Partial<CVersion>;
};

/** A type of what a C function takes or returns. */
export type TypeName = keyof Values;
/** What a value of it is in JavaScript. */
export type ValueOf<Name extends TypeName> = Values[Name];

type TypeSpec = string | ReturnType<Koffi['type']> | ReturnType<Koffi['out']>;

/**
 * Makes the types of C. They have no names, which would be the whole process's.
 *
 * @param koffi - What calls C.
 * @returns Each type by its name here.
 */
export function makeTypes(koffi: Koffi): Readonly<Record<TypeName, TypeSpec>> {
  const pointer = koffi.type('void *');
  const shape = koffi.struct({ rank: 'int64_t', dims: pointer });
  const range = koffi.struct({ min: 'int64_t', max: 'int64_t' });
  const partialShape = koffi.struct({ rank: range, dims: pointer });
  const version = koffi.struct({ buildNumber: pointer, description: pointer });
  const out = (type: TypeSpec) => koffi.out(koffi.pointer(type));
  return {
    status: 'int',
    void: 'void',
    text: 'str',
    size: 'size_t',
    type: 'uint32_t',
    pointer,
    memory: pointer,
    outPointer: out(pointer),
    outSize: out('size_t'),
    outType: out('uint32_t'),
    shape,
    shapePointer: koffi.pointer(shape),
    outShape: out(shape),
    partialShapePointer: koffi.pointer(partialShape),
    outPartialShape: out(partialShape),
    versionPointer: koffi.pointer(version),
    outVersion: out(version),
  };
}
