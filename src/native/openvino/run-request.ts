import type { CShape, Handle, Out } from './c-types.js';
import { callAside, check, create, invalidParameter, takeOut } from './checked-call.js';
import { nameOfType, numberOfType, type OpenvinoType } from './element-types.js';
import type { OpenvinoLibrary } from './open-openvino.js';
import { makeOwner, type Owner } from './owner.js';

/** What one input is fed; OpenVINO reads right from this memory. */
export type RequestInput = {
  readonly port: Handle;
  readonly type: OpenvinoType;
  readonly dims: readonly number[];
  readonly data: ArrayBufferView;
};

/** What one output is; a copy, since OpenVINO writes the next inference over its own. */
type RequestOutput = {
  readonly type: string;
  readonly dims: readonly number[];
  readonly bytes: ArrayBuffer;
};

/**
 * Makes what runs a compiled model, one inference at a time.
 *
 * @param library - OpenVINO.
 * @param compiled - The model.
 * @param owner - Frees it.
 * @returns The request.
 * @throws OpenVINO's error.
 */
export function createRequest(library: OpenvinoLibrary, compiled: Handle, owner: Owner): Handle {
  const { createRequest, freeRequest } = library.functions;
  return create(library, owner, freeRequest, (out) => createRequest(compiled, out));
}

/**
 * Runs one inference; the event loop stays free.
 *
 * @param library - OpenVINO.
 * @param request - The request, which nothing else may be using.
 * @param inputs - Every input of the model; its memory must stay as it is until this is done, and nobody can hold who
 *   has it to that.
 * @param outputs - The ports to read.
 * @returns One output per port.
 * @throws OpenVINO's error; an error when memory is not of the size that its shape says.
 */
export async function runRequest(
  library: OpenvinoLibrary,
  request: Handle,
  inputs: readonly RequestInput[],
  outputs: readonly Handle[],
): Promise<readonly RequestOutput[]> {
  const owner = makeOwner();
  try {
    for (const input of inputs) {
      const tensor = makeTensor(library, input, owner);
      check(library, library.functions.setTensor(request, input.port, tensor));
    }
    // Not by `ov_infer_request_infer`: with one thread, that of 2026.4.1 says that it went well whatever happened.
    check(library, library.functions.startInference(request));
    await awaitInference(library, request);
    return outputs.map((port) => readOutput(library, request, port, owner));
  } finally {
    owner.free();
  }
}

/** What is not waited for goes on, with memory that is freed meanwhile. */
async function awaitInference(library: OpenvinoLibrary, request: Handle): Promise<void> {
  const { awaitInference } = library.functions;
  try {
    await callAside(library, awaitInference, request);
  } catch (error) {
    // It may not have been called at all, as where too much is called at once. The second time it returns at once.
    awaitInference(request);
    throw error;
  }
}

/** For tensors without elements, which have no address of their own. */
const nothing = new Uint8Array(8);

function makeTensor(library: OpenvinoLibrary, { type, dims, data }: RequestInput, owner: Owner): Handle {
  const { createTensorOver, freeTensor } = library.functions;
  const shape = { rank: dims.length, dims: BigInt64Array.from([...dims, 0], BigInt) };
  // The buffer too: until someone asks for it, small arrays have theirs where the collector moves it.
  owner.keep(data.buffer);
  owner.keep(data);
  const memory = data.byteLength === 0 ? nothing : data;
  const tensor = create(library, owner, freeTensor, (out) =>
    createTensorOver(numberOfType(type), shape, memory, out),
  );
  const neededBytes = readSize(library, tensor);
  if (neededBytes === data.byteLength) return tensor;
  const sizes = `${data.byteLength} bytes where its shape [${dims.join(', ')}] needs ${neededBytes}`;
  throw new Error(`the memory of an input has ${sizes}: it was transferred or changed after it was given`);
}

function readOutput(library: OpenvinoLibrary, request: Handle, port: Handle, owner: Owner): RequestOutput {
  const { getTensor, freeTensor, getTensorType } = library.functions;
  const tensor = create(library, owner, freeTensor, (out) => getTensor(request, port, out));
  const type: Out<number> = [null];
  check(library, getTensorType(tensor, type));
  return {
    type: nameOfType(takeOut(type)),
    dims: readShape(library, tensor),
    bytes: copyBytes(library, tensor),
  };
}

function readShape(library: OpenvinoLibrary, tensor: Handle): readonly number[] {
  const { koffi, functions } = library;
  const read: Partial<CShape> = {};
  const status = functions.getTensorShape(tensor, read);
  // It refuses to make a shape without axes: a scalar's.
  if (status === invalidParameter) return [];
  check(library, status);
  const shape = read as CShape;
  try {
    if (shape.rank === 0 || shape.dims === null) return [];
    return Array.from(koffi.decode(shape.dims, 'int64_t', shape.rank) as ArrayLike<bigint>, Number);
  } finally {
    functions.freeShape(shape);
  }
}

function copyBytes(library: OpenvinoLibrary, tensor: Handle): ArrayBuffer {
  const { koffi, functions } = library;
  const sizeBytes = readSize(library, tensor);
  if (sizeBytes === 0) return new ArrayBuffer(0);
  const data: Out<Handle> = [null];
  check(library, functions.getTensorData(tensor, data));
  return koffi.view(takeOut(data), sizeBytes).slice(0);
}

function readSize(library: OpenvinoLibrary, tensor: Handle): number {
  const size: Out<number> = [null];
  check(library, library.functions.getTensorSize(tensor, size));
  return Number(takeOut(size));
}
