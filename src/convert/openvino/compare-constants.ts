import { type FileHandle, open } from 'node:fs/promises';
import { OptimiseModelError } from '../../messages/error.js';
import type { IrConstant, IrGraph } from './read-ir.js';
import { addRoundStats, compareRounded, countOutside, noRoundStats, type RoundStats } from './round-stats.js';

/** A constant that was stored as FP16. */
export type RoundedConstant = { readonly constant: IrConstant; readonly stats: RoundStats };

/** A floating-point constant that was left as it was. */
export type KeptConstant = {
  readonly constant: IrConstant;
  /** Whether most of its numbers have no place in FP16, for which OpenVINO leaves it; else it needs its digits. */
  readonly isMostlyOutside: boolean;
  /** Finite numbers beyond FP16. */
  readonly beyondCount: number;
};

/** What became of the floating-point constants of a model; those that share their bytes are there once. */
export type ComparedConstants = {
  readonly rounded: readonly RoundedConstant[];
  readonly kept: readonly KeptConstant[];
};

/** One model, saved as an IR. */
export type SavedIr = {
  readonly graph: IrGraph;
  /** The `.bin` file. */
  readonly binPath: string;
};

/** OpenVINO keeps a constant from this share of numbers on that have no place in FP16. */
const outsideShare = 0.75;
const pieceValues = 1 << 20;

type Pair = { readonly exact: IrConstant; readonly stored: IrConstant };

/**
 * Finds what storing a model as FP16 did to each of its constants, by their bytes.
 *
 * @param exact - The model as it is.
 * @param stored - The same one with its constants stored as FP16.
 * @param signal - Stops the reading.
 * @returns What became of each; null where the two do not have the same constants.
 * @throws `ovc-failed` when a file ends before a constant of its; the file system's own error.
 */
export async function compareConstants(
  exact: SavedIr,
  stored: SavedIr,
  signal: AbortSignal,
): Promise<ComparedConstants | null> {
  const pairs = pairConstants(exact.graph.constants, stored.graph.constants);
  if (pairs === null) return null;
  const files = await Promise.all([open(exact.binPath), open(stored.binPath)]);
  const rounded: RoundedConstant[] = [];
  const kept: KeptConstant[] = [];
  try {
    for (const pair of pairs) {
      signal.throwIfAborted();
      if (pair.stored.elementType === 'f16') rounded.push(await compareRoundedPair(pair, files));
      else kept.push(await examineKept(pair.exact, files[0]));
    }
  } finally {
    await Promise.all(files.map((file) => file.close()));
  }
  return { rounded, kept };
}

/** Both hold the same operators in the same order; FP16 ones have more in their names, and a Convert behind them. */
function pairConstants(exact: readonly IrConstant[], stored: readonly IrConstant[]): readonly Pair[] | null {
  if (exact.length !== stored.length) return null;
  const pairs = new Map<string, Pair>();
  for (const [index, constant] of exact.entries()) {
    const other = stored[index];
    if (other === undefined || !isSame(constant, other)) return null;
    const isFloat = constant.elementType === 'f32' || constant.elementType === 'f64';
    if (!isFloat || constant.sizeBytes === 0) continue;
    const key = `${constant.offset} ${other.elementType}`;
    if (!pairs.has(key)) pairs.set(key, { exact: constant, stored: other });
  }
  return [...pairs.values()];
}

function isSame(exact: IrConstant, stored: IrConstant): boolean {
  if (exact.scope !== stored.scope || exact.shape !== stored.shape) return false;
  if (exact.elementType === stored.elementType)
    return exact.name === stored.name && exact.sizeBytes === stored.sizeBytes;
  const isRounded = stored.elementType === 'f16' && stored.name === `${exact.name}_compressed`;
  return isRounded && countValues(exact) === stored.sizeBytes / 2;
}

async function compareRoundedPair(
  { exact, stored }: Pair,
  [exactFile, storedFile]: readonly FileHandle[],
): Promise<RoundedConstant> {
  let stats = noRoundStats;
  const count = countValues(exact);
  for (let start = 0; start < count; start += pieceValues) {
    const values = Math.min(pieceValues, count - start);
    const [before, halves] = await Promise.all([
      readValues(exactFile, exact, start, values),
      readBytes(storedFile, stored.offset + start * 2, values * 2, stored),
    ]);
    stats = addRoundStats(stats, compareRounded(before, new Uint16Array(halves.buffer, 0, values)));
  }
  return { constant: exact, stats };
}

async function examineKept(constant: IrConstant, file: FileHandle): Promise<KeptConstant> {
  const count = countValues(constant);
  let outsideCount = 0;
  let beyondCount = 0;
  for (let start = 0; start < count; start += pieceValues) {
    const values = await readValues(file, constant, start, Math.min(pieceValues, count - start));
    const { outside, beyond } = countOutside(values);
    outsideCount += outside;
    beyondCount += beyond;
  }
  return { constant, isMostlyOutside: outsideCount / count >= outsideShare, beyondCount };
}

function countValues({ elementType, sizeBytes }: IrConstant): number {
  return sizeBytes / (elementType === 'f64' ? 8 : 4);
}

async function readValues(
  file: FileHandle | undefined,
  constant: IrConstant,
  start: number,
  count: number,
): Promise<Float32Array | Float64Array> {
  const width = constant.elementType === 'f64' ? 8 : 4;
  const bytes = await readBytes(file, constant.offset + start * width, count * width, constant);
  return width === 8 ? new Float64Array(bytes.buffer) : new Float32Array(bytes.buffer);
}

async function readBytes(
  file: FileHandle | undefined,
  offset: number,
  sizeBytes: number,
  { name }: IrConstant,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(sizeBytes);
  for (let done = 0; done < sizeBytes; ) {
    const { bytesRead = 0 } = (await file?.read(bytes, done, sizeBytes - done, offset + done)) ?? {};
    if (bytesRead === 0) {
      const reason = `the file that it wrote ends before the numbers of ${name}`;
      throw OptimiseModelError.of('ovc-failed', { reason });
    }
    done += bytesRead;
  }
  return bytes;
}
