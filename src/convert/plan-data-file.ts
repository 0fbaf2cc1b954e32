import { createHash } from 'node:crypto';
import type { TensorPlace } from '../onnx/graph-walk.js';
import { type Payload, readPieces } from '../onnx/tensor-payload.js';

/** A tensor with its bytes. */
export type PlacedPayload = { readonly place: TensorPlace; readonly payload: Payload };

/** One range of the data file and the tensors that use it. */
export type DataRange = {
  readonly offset: number;
  readonly payload: Payload;
  readonly places: readonly TensorPlace[];
};

/** A page of memory on every machine that Lambda runs on, bytes; a mapping begins at a multiple of it. */
export const pageBytes = 4096;
/** Smaller tensors do not fill a page: they follow each other at this alignment, a cache line. */
const lineBytes = 64;

/**
 * Lays the data file out: tensors of a page or more begin on a page, smaller ones fill the gaps before; tensors with
 * the same bytes share a range.
 *
 * @param payloads - What goes into the file, in the order of the model.
 * @returns The ranges by offset.
 */
export async function planDataFile(payloads: readonly PlacedPayload[]): Promise<DataRange[]> {
  const shared = await groupEqual(payloads);
  const isLarge = ({ payload }: Group): boolean => payload.sizeBytes >= pageBytes;
  const smallOnes = shared.filter((group) => !isLarge(group));
  const ranges: DataRange[] = [];
  let end = 0;
  let next = 0;
  for (const { payload, places } of shared.filter(isLarge)) {
    const offset = alignUp(end, pageBytes);
    next = fillGap(ranges, smallOnes, next, end, offset);
    ranges.push({ offset, payload, places });
    end = offset + payload.sizeBytes;
  }
  fillGap(ranges, smallOnes, next, end, Number.POSITIVE_INFINITY);
  return ranges;
}

/** Small tensors take the room before the next page, in their order; returns how many are placed by now. */
function fillGap(
  ranges: DataRange[],
  smallOnes: readonly Group[],
  placed: number,
  start: number,
  limit: number,
): number {
  let end = start;
  let index = placed;
  for (let group = smallOnes[index]; group !== undefined; group = smallOnes[index]) {
    const offset = alignUp(end, lineBytes);
    end = offset + group.payload.sizeBytes;
    if (end > limit) break;
    ranges.push({ offset, payload: group.payload, places: group.places });
    index += 1;
  }
  return index;
}

function alignUp(offset: number, step: number): number {
  return Math.ceil(offset / step) * step;
}

type Group = { readonly payload: Payload; readonly places: TensorPlace[] };

/** Hashing is only worth its time where another tensor has the same size. */
async function groupEqual(payloads: readonly PlacedPayload[]): Promise<Group[]> {
  const sizes = new Map<number, number>();
  for (const { payload } of payloads) sizes.set(payload.sizeBytes, (sizes.get(payload.sizeBytes) ?? 0) + 1);
  const groups = new Map<string, Group>();
  for (const [index, { place, payload }] of payloads.entries()) {
    const isAlone = sizes.get(payload.sizeBytes) === 1;
    const key = isAlone ? `alone ${index}` : await hashPayload(payload);
    const group = groups.get(key) ?? { payload, places: [] };
    group.places.push(place);
    groups.set(key, group);
  }
  return [...groups.values()];
}

async function hashPayload(payload: Payload): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of readPieces(payload, 1 << 24)) hash.update(piece);
  return `${payload.sizeBytes} ${hash.digest('hex')}`;
}
