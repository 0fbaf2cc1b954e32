import type { Handle, Out } from './c-types.js';
import { callAside, check, create, readText, takeOut } from './checked-call.js';
import { numberOfType } from './element-types.js';
import type { OpenvinoLibrary } from './open-openvino.js';
import { makeOwner, type Owner } from './owner.js';

/** The only kind of device that is asked for. */
const device = 'CPU';

/** What is to be compiled. */
export type ModelContent =
  /** `.onnx`, or `.xml` with its `.bin` beside it. */
  | { readonly kind: 'file'; readonly path: string }
  /** The text of an `.xml` with the content of its `.bin`, or an `.onnx` that is whole in itself, without. */
  | { readonly kind: 'memory'; readonly bytes: Uint8Array; readonly weights: Uint8Array | null }
  /** What {@link exportModel} wrote. */
  | { readonly kind: 'blob'; readonly bytes: Uint8Array };

/** A value of a property by its key, in OpenVINO's words. */
type Properties = Readonly<Record<string, string>>;

/** What is to hold for all devices, and for the CPU. */
export type CompileProperties = { readonly core: Properties; readonly device: Properties };

/**
 * Compiles a model for the CPU; the event loop stays free. It has a core of its own, because properties are the core's.
 *
 * @param library - OpenVINO.
 * @param content - The model.
 * @param properties - What is to hold.
 * @param owner - Frees it, and keeps the memory that the model was made over.
 * @returns The compiled model.
 * @throws OpenVINO's error.
 */
export async function compileModel(
  library: OpenvinoLibrary,
  content: ModelContent,
  properties: CompileProperties,
  owner: Owner,
): Promise<Handle> {
  const { createCore, freeCore, setProperty, freeCompiledModel } = library.functions;
  const core = create(library, owner, freeCore, createCore);
  const set = (target: string | null, [key, value]: [string, string]) =>
    check(library, setProperty(core, target, 'str', key, 'str', value));
  for (const entry of Object.entries(properties.core)) set(null, entry);
  for (const entry of Object.entries(properties.device)) set(device, entry);
  const out: Out<Handle> = [null];
  await compile(library, core, content, owner, out);
  return owner.own(takeOut(out), freeCompiledModel);
}

async function compile(
  library: OpenvinoLibrary,
  core: Handle,
  content: ModelContent,
  owner: Owner,
  out: Out<Handle>,
): Promise<void> {
  const { compileModelFromFile, importModel } = library.functions;
  if (content.kind === 'file')
    return callAside(library, compileModelFromFile, core, content.path, device, 0, out);
  // What is compiled computes right from weights among these bytes: an imported model of 2026.4.1 crashes without them.
  owner.keep(content.bytes.buffer);
  owner.keep(content.bytes);
  const reading = makeOwner();
  try {
    if (content.kind === 'memory')
      return await compileFromMemory(library, core, content, { owner, reading }, out);
    const { bytes } = content;
    return await callAside(library, importModel, core, bytes, bytes.length, device, out);
  } finally {
    reading.free();
  }
}

async function compileFromMemory(
  library: OpenvinoLibrary,
  core: Handle,
  { bytes, weights }: Extract<ModelContent, { kind: 'memory' }>,
  { owner, reading }: { readonly owner: Owner; readonly reading: Owner },
  out: Out<Handle>,
): Promise<void> {
  const { readModelFromMemory, compileModel, freeModel } = library.functions;
  // The compiled model may compute right from these weights.
  const tensor = weights === null ? null : makeBytesTensor(library, weights, owner);
  const model: Out<Handle> = [null];
  await callAside(library, readModelFromMemory, core, bytes, bytes.length, tensor, model);
  reading.own(takeOut(model), freeModel);
  await callAside(library, compileModel, core, takeOut(model), device, 0, out);
}

function makeBytesTensor(library: OpenvinoLibrary, bytes: Uint8Array, owner: Owner): Handle {
  const { createTensorOver, freeTensor } = library.functions;
  owner.keep(bytes.buffer);
  owner.keep(bytes);
  const shape = { rank: 1, dims: BigInt64Array.of(BigInt(bytes.length)) };
  return create(library, owner, freeTensor, (out) => createTensorOver(numberOfType('u8'), shape, bytes, out));
}

/**
 * Reads a property of a compiled model.
 *
 * @param library - OpenVINO.
 * @param compiled - The model.
 * @param key - Its key.
 * @returns Its value in OpenVINO's words.
 * @throws OpenVINO's error, as for a property that it does not have.
 */
export function readProperty(library: OpenvinoLibrary, compiled: Handle, key: string): string {
  const { getProperty } = library.functions;
  return readText(library, (out) => getProperty(compiled, key, out));
}

/**
 * Writes a compiled model into a file. That a disk was full is not said by OpenVINO: who needs to know opens the file.
 *
 * @param library - OpenVINO.
 * @param compiled - The model.
 * @param path - The file, in a folder that exists.
 * @throws OpenVINO's error.
 */
export async function exportModel(library: OpenvinoLibrary, compiled: Handle, path: string): Promise<void> {
  await callAside(library, library.functions.exportModel, compiled, path);
}
