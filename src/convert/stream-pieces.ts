import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { type HalfKernel, openHalfKernel } from '../half/half-kernel.js';
import { addHalfStats, emptyHalfStats, type HalfStats } from '../half/half-stats.js';
import { EarlyFlush } from '../lib/early-flush.js';
import { settleAll } from '../lib/settle-all.js';
import type { Rope } from '../onnx/piece.js';
import type { SourceBytes } from '../onnx/source-bytes.js';
import { fillBlock, type HalfPiece, type PieceBlock, type RopeCursor } from './piece-block.js';
import { SourceFiles } from './source-files.js';

/** Output per block. While one block is read, one is rounded and one is written. */
const blockBytes = 1 << 20;
const blocksAtOnce = 3;

/** Output after which a flush to the device begins, so that it works while we do: a tenth less time for 343 MB of FP32. */
const flushBytes = 16 << 20;

/** What the pieces of a rope refer to, and who hears of what becomes of them. */
export type StreamJob = {
  /** The source `.onnx` file. */
  readonly source: SourceBytes;
  /** Asks to stop, between two blocks. */
  readonly signal: AbortSignal;
  /** Whether the output is hashed. */
  readonly hash: boolean;
  /** Given the size of each stretch of output that is on its way into the file. */
  readonly onBytes: (sizeBytes: number) => void;
  /** Given each piece that was rounded to FP16 and what that did, in order. */
  readonly onHalf: (piece: HalfPiece, stats: HalfStats) => void;
};

/** What was written. */
export type StreamedPieces = {
  readonly sizeBytes: number;
  /** 64 lower-case hexadecimal digits; undefined where it was not asked for. */
  readonly sha256: string | undefined;
  /** Ends when no flush is under way any more; the file must stay open until then. */
  readonly flushed: Promise<void>;
};

/** One stream on its way. */
type Stream = {
  readonly target: FileHandle;
  readonly job: StreamJob;
  readonly kernel: HalfKernel;
  readonly cursor: RopeCursor;
  readonly files: SourceFiles;
  readonly flush: EarlyFlush;
  readonly hash: Hash | undefined;
  /** For each pair of the kernel, the write of the block that was in it last. */
  readonly writes: Promise<void>[];
  /** Statistics of the parts that were rounded of the piece whose end has not come yet. */
  stats: HalfStats;
  sizeBytes: number;
};

/** A block whose reads are under way. */
type ReadingBlock = PieceBlock & { readonly pair: number; readonly reading: Promise<void> };

/**
 * Writes pieces one behind the other, FP32 rounded to FP16 where they say so, in a fixed amount of memory (9 MiB).
 *
 * Files are read into the memory of the kernel and written from it, several blocks at a time. What is written is partly
 * on the device when this returns, or on its way there; the rest is the caller's to flush.
 *
 * @param target - Open for writing, empty.
 * @param rope - The pieces.
 * @param job - Where they come from, and who hears of it.
 * @returns Size and hash of the output.
 * @throws `model-changed` when a source file is not, or does not stay, what it was; the file system's own error;
 *   `AbortError` when stopped. Nothing is under way any more when it throws.
 */
export async function writePieces(target: FileHandle, rope: Rope, job: StreamJob): Promise<StreamedPieces> {
  const stream = openStream(target, rope, job);
  let reading: ReadingBlock | undefined;
  try {
    reading = await readBlock(stream, 0);
    for (let index = 1; reading !== undefined; index += 1) {
      job.signal.throwIfAborted();
      const block = reading;
      reading = await readBlock(stream, index % blocksAtOnce);
      await block.reading;
      sendBlock(stream, block);
    }
    await Promise.all(stream.writes);
    await stream.files.refuseIfChanged();
    const flushed = stream.flush.settle();
    flushed.catch(() => undefined);
    return { sizeBytes: stream.sizeBytes, sha256: stream.hash?.digest('hex'), flushed };
  } catch (error) {
    await Promise.allSettled([reading?.reading, ...stream.writes, stream.flush.settle()]);
    throw error;
  } finally {
    await stream.files.close();
  }
}

function openStream(target: FileHandle, rope: Rope, job: StreamJob): Stream {
  // A block with room for one direct read is the least that fillBlock can work with.
  const pieceElements = Math.min(blockBytes, Math.max(rope.sizeBytes, 1 << 17)) / 2;
  return {
    target,
    job,
    kernel: openHalfKernel({ pieceElements: Math.ceil(pieceElements), pairs: blocksAtOnce }),
    cursor: { rope, source: job.source, index: 0, taken: 0 },
    files: new SourceFiles(job.source),
    flush: new EarlyFlush(target, flushBytes),
    hash: job.hash ? createHash('sha256') : undefined,
    writes: [],
    stats: emptyHalfStats,
    sizeBytes: 0,
  };
}

/** Begins to read the next block into a pair of the kernel, as soon as that has been written. */
async function readBlock(stream: Stream, pair: number): Promise<ReadingBlock | undefined> {
  await stream.writes[pair];
  const areas = stream.kernel.pairs[pair];
  const block = areas === undefined ? undefined : fillBlock(stream.cursor, areas);
  if (areas === undefined || block === undefined) return undefined;
  const reads = block.reads.map(({ path, start, area, at, sizeBytes }) =>
    stream.files.read(path, start, areas[area].subarray(at, at + sizeBytes)),
  );
  const reading = settleAll(reads);
  reading.catch(() => undefined);
  return { ...block, pair, reading };
}

/** Rounds what is to be rounded of a block, and begins to write it. */
function sendBlock(stream: Stream, block: ReadingBlock): void {
  const { kernel, job } = stream;
  const areas = kernel.pairs[block.pair];
  if (areas === undefined) return;
  for (const move of block.moves) {
    const { floatsAt, halvesAt } = move;
    if (move.kind === 'copy') {
      areas.halves.set(areas.floats.subarray(floatsAt, floatsAt + move.sizeBytes), halvesAt);
      continue;
    }
    stream.stats = addHalfStats(stream.stats, kernel.encode(block.pair, move.count, move));
    if (!move.isLast) continue;
    job.onHalf(move.piece, stream.stats);
    stream.stats = emptyHalfStats;
  }
  const bytes = areas.halves.subarray(0, block.sizeBytes);
  const writing = writeAll(stream, bytes, stream.sizeBytes);
  writing.catch(() => undefined);
  stream.writes[block.pair] = writing;
  stream.sizeBytes += bytes.length;
  stream.hash?.update(bytes);
  job.onBytes(bytes.length);
}

async function writeAll({ target, flush }: Stream, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await target.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
  flush.add(bytes.length);
}
