import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { downloadExpanded } from '../../src/loader/stream/download-expanded.js';
import { type ExpandedFile, type ExpansionPart, partBytes } from '../../src/store/artifact-expansion.js';
import type { ArtifactRecord } from '../../src/store/artifact-record.js';
import type { ReadableStore } from '../../src/store/store.js';
import { expandArtifact } from '../fixtures/expand-artifact.js';
import { recordOf, seededBytes, temporaryFolder } from '../fixtures/opaque-artifact.js';

type Contents = Readonly<Record<string, Uint8Array>>;

/** Draws numbers from a list, round and round. */
type Draw = () => number;

const literals = Buffer.from(Array.from({ length: 64 }, (_, index) => 255 - index));

/** Ranges arrive in chunks of any size, interleaved in any order, in memory that is used again at once. */
function restlessStore(contents: Contents, draw: Draw): ReadableStore {
  const sizeOf = (key: string) => contents[key]?.length ?? 0;
  return {
    url: 'memory',
    head: async (key) => ({ key, sizeBytes: sizeOf(key), etag: '1', modifiedAtMs: null }),
    read: () => Promise.reject(new Error('not used')),
    readRange: () => {
      throw new Error('not used');
    },
    receiveRange: async (key, { offset, length }, take) => {
      const buffer = new Uint8Array(32);
      for (let done = 0; done < length; ) {
        for (let turn = draw() % 4; turn > 0; turn -= 1) await Promise.resolve();
        const count = Math.min(1 + (draw() % buffer.length), length - done);
        buffer.set(contents[key]?.subarray(offset + done, offset + done + count) ?? []);
        take(buffer.subarray(0, count));
        buffer.fill(0xa5);
        done += count;
      }
    },
  };
}

function planOf(sizes: readonly number[]): fc.Arbitrary<ExpansionPart> {
  const pointed = fc
    .record({
      kind: fc.constantFrom('copy' as const, 'expand' as const),
      file: fc.nat(sizes.length - 1),
      from: fc.nat(1000),
      length: fc.nat(1000),
    })
    .map(({ kind, file, from, length }): ExpansionPart => {
      const sizeBytes = sizes[file] ?? 0;
      const offset = from % (sizeBytes + 1);
      const most = length % (sizeBytes - offset + 1);
      return [kind, file, offset, kind === 'expand' ? most - (most % 2) : most];
    });
  const literal = fc
    .tuple(fc.nat(literals.length), fc.nat(literals.length))
    .map(([a, b]): ExpansionPart => ['literal', Math.min(a, b), Math.abs(a - b)]);
  const zeros = fc.nat(20).map((length): ExpansionPart => ['zeros', length]);
  return fc.oneof({ weight: 3, arbitrary: pointed }, literal, zeros);
}

const anyArtifact = fc
  .array(fc.uint8Array({ maxLength: 200 }), { minLength: 1, maxLength: 3 })
  .chain((sources) => {
    const parts = fc.array(planOf(sources.map(({ length }) => length)), { maxLength: 12 });
    return fc.record({
      sources: fc.constant(sources),
      plans: fc.array(parts, { minLength: 1, maxLength: 3 }),
    });
  });

function describeArtifact(contents: Contents, plans: readonly ExpansionPart[][]): ArtifactRecord {
  const files = plans.map((parts, index): ExpandedFile => {
    const sizeBytes = parts.reduce((sum, part) => sum + partBytes(part), 0);
    return { path: index === 0 ? 'model.onnx' : `data/${index}`, sizeBytes, parts };
  });
  const used = Math.max(0, ...plans.flat().map((part) => (part[0] === 'literal' ? part[1] + part[2] : 0)));
  const packed = used === 0 ? '' : deflateRawSync(literals.subarray(0, used)).toString('base64');
  return {
    ...recordOf(contents),
    expandedSizeBytes: files.reduce((sum, file) => sum + file.sizeBytes, 0),
    expansion: { entry: 'model.onnx', literals: packed, files },
  };
}

type How = {
  readonly partSizeBytes: number;
  readonly concurrency: number;
  readonly memoryBytes: number;
  readonly windowParts: number;
  readonly draws: readonly number[];
};

async function expectSame(contents: Contents, plans: readonly ExpansionPart[][], how: How): Promise<void> {
  const { draws, ...settings } = how;
  let drawn = 0;
  const draw = (): number => {
    drawn += 1;
    return draws[drawn % draws.length] ?? 0;
  };
  const record = describeArtifact(contents, plans);
  const [folder, expanded] = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'stream-plan-'))));
  try {
    for (const [name, bytes] of Object.entries(contents)) await writeFile(join(folder ?? '', name), bytes);
    const expected = await expandArtifact(folder ?? '', record);
    const { signal } = new AbortController();
    await downloadExpanded({
      ...{ store: restlessStore(contents, draw), record, keyPrefix: '', folder: expanded ?? '' },
      ...{ ...settings, signal, onProgress: () => undefined },
    });
    for (const [name, bytes] of expected)
      expect((await readFile(join(expanded ?? '', name))).toString('hex'), name).toBe(bytes.toString('hex'));
  } finally {
    for (const each of [folder, expanded]) await rm(each ?? '', { recursive: true });
  }
}

const anyHow: fc.Arbitrary<How> = fc.record({
  partSizeBytes: fc.integer({ min: 1, max: 60 }),
  concurrency: fc.integer({ min: 1, max: 6 }),
  memoryBytes: fc.constantFrom(0, 60, 10_000),
  windowParts: fc.integer({ min: 1, max: 8 }),
  draws: fc.array(fc.nat(1000), { minLength: 1, maxLength: 20 }),
});

describe('writing an expanded model while its artifact arrives', () => {
  it('gives the files that the plan describes, however the bytes are cut and whichever come first', async () => {
    await fc.assert(
      fc.asyncProperty(anyArtifact, anyHow, async ({ sources, plans }, how) => {
        const contents = Object.fromEntries(sources.map((bytes, index) => [`part${index}`, bytes]));
        await expectSame(contents, plans, how);
      }),
      { numRuns: 300 },
    );
  });

  it('takes numbers that begin at an odd byte and that two parts share, parts of one byte included', async () => {
    const content = Uint8Array.from({ length: 101 }, (_, index) => index * 7);
    const plan: ExpansionPart[] = [
      ['expand', 0, 1, 100],
      ['copy', 0, 0, 101],
      ['expand', 0, 2, 98],
    ];
    for (const partSizeBytes of [1, 2, 3, 7, 50, 101])
      for (const concurrency of [1, 3])
        await expectSame({ a: content }, [plan], {
          ...{ partSizeBytes, concurrency, memoryBytes: 0, windowParts: 2 },
          draws: [0, 3, 1, 0, 2],
        });
  });

  it('asks for no part that could not be held until it is hashed, while the first one is late', async () => {
    const content = seededBytes(2000, 3);
    const plain = restlessStore({ a: content }, () => 0);
    const asked: number[] = [];
    let askedBefore: number[] = [];
    const store: ReadableStore = {
      ...plain,
      receiveRange: async (key, range, take, signal) => {
        asked.push(range.offset);
        if (range.offset === 0) {
          await sleep(20);
          askedBefore = [...asked];
        }
        await plain.receiveRange?.(key, range, take, signal);
      },
    };
    const record = describeArtifact({ a: content }, [[['copy', 0, 0, content.length]]]);
    const folder = await temporaryFolder();
    const { signal } = new AbortController();
    const how = {
      partSizeBytes: 10,
      concurrency: 3,
      windowParts: 6,
      memoryBytes: 0,
      signal,
      onProgress: () => undefined,
    };
    await downloadExpanded({ store, record, keyPrefix: '', folder, ...how });
    expect(askedBefore).toEqual([0, 10, 20, 30, 40, 50]);
    expect((await readFile(join(folder, 'model.onnx'))).equals(content)).toBe(true);
  });
});
