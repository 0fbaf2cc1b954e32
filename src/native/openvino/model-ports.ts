import type { CPartialShape, Handle, Out } from './c-types.js';
import { check, create, readText, takeOut } from './checked-call.js';
import { nameOfType } from './element-types.js';
import type { OpenvinoLibrary } from './open-openvino.js';
import type { Owner } from './owner.js';

/** Which end of a model. */
export type PortSide = 'input' | 'output';

/** One input or output of a compiled model. */
export type ModelPort = {
  readonly handle: Handle;
  /** One of its names; which one is OpenVINO's choice. Null where it has none. */
  readonly anyName: string | null;
  /** In OpenVINO's words. */
  readonly type: string;
  /** Null for a size that is not fixed; null at all where not even their number is. */
  readonly dims: readonly (number | null)[] | null;
};

/**
 * Lists the inputs or outputs of a compiled model.
 *
 * @param library - OpenVINO.
 * @param compiled - The model.
 * @param side - Which of them.
 * @param owner - Frees them.
 * @returns All of them, in the model's order.
 * @throws OpenVINO's error.
 */
export function listPorts(
  library: OpenvinoLibrary,
  compiled: Handle,
  side: PortSide,
  owner: Owner,
): readonly ModelPort[] {
  const { countInputs, countOutputs, inputByIndex, outputByIndex, freePort } = library.functions;
  const [count, byIndex] = side === 'input' ? [countInputs, inputByIndex] : [countOutputs, outputByIndex];
  const size: Out<number> = [null];
  check(library, count(compiled, size));
  return Array.from({ length: Number(takeOut(size)) }, (_none, index) => {
    const handle = create(library, owner, freePort, (out) => byIndex(compiled, index, out));
    return describePort(library, handle);
  });
}

/**
 * Finds an input or output by any of its names.
 *
 * @param library - OpenVINO.
 * @param compiled - The model.
 * @param side - Where to look.
 * @param name - One of its names.
 * @param owner - Frees it.
 * @returns It.
 * @throws OpenVINO's error when there is none of this name.
 */
export function findPort(
  library: OpenvinoLibrary,
  compiled: Handle,
  side: PortSide,
  name: string,
  owner: Owner,
): ModelPort {
  const { inputByName, outputByName, freePort } = library.functions;
  const byName = side === 'input' ? inputByName : outputByName;
  const handle = create(library, owner, freePort, (out) => byName(compiled, name, out));
  return describePort(library, handle);
}

function describePort(library: OpenvinoLibrary, handle: Handle): ModelPort {
  const type: Out<number> = [null];
  check(library, library.functions.getPortType(handle, type));
  return {
    handle,
    anyName: readName(library, handle),
    type: nameOfType(takeOut(type)),
    dims: readDims(library, handle),
  };
}

function readName(library: OpenvinoLibrary, handle: Handle): string | null {
  try {
    return readText(library, (out) => library.functions.getPortName(handle, out));
  } catch {
    // It has no other way to say that there is none.
    return null;
  }
}

function readDims({ koffi, functions }: OpenvinoLibrary, handle: Handle): ModelPort['dims'] {
  const read: Partial<CPartialShape> = {};
  check({ koffi, functions }, functions.getPortShape(handle, read));
  const shape = read as CPartialShape;
  try {
    const { rank, dims } = shape;
    if (rank.min !== rank.max || rank.min < 0) return null;
    if (dims === null) return [];
    const ranges = koffi.decode(dims, 'int64_t', rank.min * 2) as ArrayLike<bigint>;
    return Array.from({ length: rank.min }, (_none, axis) => {
      const [from, to] = [Number(ranges[axis * 2]), Number(ranges[axis * 2 + 1])];
      return from === to && from >= 0 ? from : null;
    });
  } finally {
    functions.freePartialShape(shape);
  }
}
