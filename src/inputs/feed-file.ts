import { readFile } from 'node:fs/promises';
import type { ElementType, NamedTensors, Tensor } from '../lib/tensor.js';
import { writeAtomically } from '../lib/write-atomically.js';
import { OptimiseModelError } from '../messages/error.js';
import { elementsFromBytes } from './element-array.js';

/** Where one tensor lies in the file, counted from the end of the header. */
type Entry = {
  readonly name: string;
  readonly type: ElementType;
  readonly dims: readonly number[];
  readonly offset: number;
  readonly sizeBytes: number;
};

const magic = 'OMFEED01';

/**
 * Writes feeds into one file, for a process that must stay small: `OMFEED01`, the header's length (uint32), a JSON
 * header, then the elements, all little-endian; strings as a JSON array.
 *
 * @param path - The target; it appears whole or not at all.
 * @param feeds - The tensors.
 */
export async function writeFeedFile(path: string, feeds: NamedTensors): Promise<void> {
  const payloads = Object.values(feeds).map(toBytes);
  let offset = 0;
  const entries = Object.entries(feeds).map(([name, { type, dims }], index): Entry => {
    const sizeBytes = payloads[index]?.byteLength ?? 0;
    const entry = { name, type, dims, offset, sizeBytes };
    offset += sizeBytes;
    return entry;
  });
  const header = Buffer.from(JSON.stringify(entries), 'utf8');
  const start = Buffer.alloc(magic.length + 4);
  start.write(magic, 'latin1');
  start.writeUInt32LE(header.byteLength, magic.length);
  await writeAtomically(path, async (file) => {
    for (const piece of [start, header, ...payloads]) await file.appendFile(piece);
  });
}

/**
 * Reads what {@link writeFeedFile} wrote.
 *
 * @param path - The file.
 * @returns The tensors, in the order in which they were written.
 * @throws `input-file-wrong` when it is no such file or is cut short.
 */
export async function readFeedFile(path: string): Promise<NamedTensors> {
  const bytes = await readFile(path);
  const headerStart = magic.length + 4;
  if (bytes.length < headerStart || bytes.toString('latin1', 0, magic.length) !== magic) throw wrong(path);
  const dataStart = headerStart + bytes.readUInt32LE(magic.length);
  if (bytes.length < dataStart) throw wrong(path);
  const entries: readonly Entry[] = JSON.parse(bytes.toString('utf8', headerStart, dataStart));
  const feeds = new Map<string, Tensor>();
  for (const entry of entries) {
    const start = dataStart + entry.offset;
    if (start + entry.sizeBytes > bytes.length) throw wrong(path);
    feeds.set(entry.name, fromBytes(entry, bytes.subarray(start, start + entry.sizeBytes)));
  }
  return Object.fromEntries(feeds);
}

function toBytes(tensor: Tensor): Uint8Array {
  const { data } = tensor;
  if (!ArrayBuffer.isView(data)) return Buffer.from(JSON.stringify(data), 'utf8');
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

function fromBytes({ type, dims }: Entry, bytes: Uint8Array): Tensor {
  if (type === 'string') return { type, dims, data: JSON.parse(Buffer.from(bytes).toString('utf8')) };
  return { type, dims, data: elementsFromBytes(type, bytes) };
}

function wrong(path: string): OptimiseModelError {
  const problem = 'it is no feed file of this tool, or it is cut short';
  return OptimiseModelError.of('input-file-wrong', { path, problem });
}
