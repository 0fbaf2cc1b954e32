import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import type { ModelContent } from '../../native/openvino/compile-model.js';
import type { ModelSource } from '../runtime.js';

/**
 * Takes a model as OpenVINO can be given it; the extension says what it is.
 *
 * @param source - `.onnx`, `.xml` with its `.bin`, or a `.blob`, as a path or in memory.
 * @returns The content; of a path only a blob is read here, since OpenVINO imports one from memory alone.
 * @throws An error for what cannot be opened from memory; the file system's own.
 */
export async function takeContent(source: ModelSource): Promise<ModelContent> {
  if ('path' in source) {
    if (extname(source.path) !== '.blob') return { kind: 'file', path: source.path };
    return takeContent({ name: source.path, bytes: await readWhole(source.path), externalData: [] });
  }
  const { name, bytes, externalData } = source;
  if (bytes.length === 0) throw new Error('it is empty');
  if (extname(name) === '.blob') return { kind: 'blob', bytes };
  if (extname(name) === '.xml') return { kind: 'memory', bytes, weights: findWeights(externalData) };
  if (externalData.length > 0)
    throw new Error('OpenVINO reads the external data of an .onnx from files only, and it is in memory here');
  return { kind: 'memory', bytes, weights: null };
}

function findWeights(
  files: readonly { readonly path: string; readonly data: Uint8Array }[],
): Uint8Array | null {
  const [weights, ...more] = files.filter(({ path }) => extname(path) === '.bin');
  if (more.length > 0) throw new Error('an .xml has one .bin, and there are several here');
  // One without elements has no address.
  return weights === undefined || weights.data.length === 0 ? null : weights.data;
}

/**
 * Reads a file of any size, in pieces: `readFile` refuses what is over 2 GiB.
 *
 * @param path - The file.
 * @returns All of it.
 * @throws The file system's own error.
 */
export async function readWhole(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const bytes = new Uint8Array(size);
    for (let done = 0; done < size; ) {
      const { bytesRead } = await file.read(bytes, done, Math.min(size - done, 1 << 30), done);
      if (bytesRead === 0) return bytes.subarray(0, done);
      done += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
}
