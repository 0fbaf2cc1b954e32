import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { onnx } from 'onnx-proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { convertModel } from '../../src/convert/convert-model.js';
import { precisions } from '../../src/lib/variant.js';
import { openModel } from '../../src/loader/index.js';
import { downloadExpanded } from '../../src/loader/stream/download-expanded.js';
import { parseArtifactRecord } from '../../src/store/artifact-record.js';
import { openStore } from '../../src/store/open-store.js';
import { encode, floats, graph, model, node, proto, value } from '../fixtures/build-model.js';
import { completeOptions } from '../fixtures/convert-options.js';
import { expandArtifact } from '../fixtures/expand-artifact.js';
import { useTempFolder } from '../fixtures/temp-folder.js';
import { requireS3, startS3IfFound, useS3 } from '../services/require-s3.js';
import type { RunningS3 } from '../services/versitygw.mjs';

const size = 3000;
const tempFolder = useTempFolder();
// Files of other layouts stay as they are.
const layouts = ['single', 'external'] as const;
const choices = precisions.flatMap((precision) => layouts.map((layout) => [precision, layout] as const));

let folder = '';
let source = '';
let ephemeralDir = '';

beforeEach(async () => {
  folder = await tempFolder();
  [source, ephemeralDir] = [join(folder, 'source.onnx'), join(folder, 'ephemeral')];
  await mkdir(ephemeralDir);
  await writeFile(source, encode(build()));
});

/** Numbers that FP16 has to round. */
function weights(name: string, seed: number): onnx.ITensorProto {
  return floats(
    name,
    [size],
    Array.from({ length: size }, (_, index) => Math.sin((index + 1) * seed)),
  );
}

/** Two tied weights, one of its own, a small one and one in a Constant. */
function build(): onnx.IModelProto {
  return model(
    graph({
      inputs: [value('x', [size])],
      outputs: [value('y', [size])],
      nodes: [
        node('Constant', [], ['k'], { value: weights('', 0.1) }),
        node('Mul', ['x', 'w'], ['a']),
        node('Add', ['a', 'tied'], ['b']),
        node('Add', ['b', 'v'], ['c']),
        node('Mul', ['c', 'small'], ['d']),
        node('Add', ['d', 'k'], ['y']),
      ],
      initializers: [weights('w', 0.7), weights('tied', 0.7), weights('v', 0.3), floats('small', [1], [0.3])],
    }),
  );
}

async function convert(precision: (typeof precisions)[number], layout: (typeof layouts)[number]) {
  const out = join(folder, `${precision}.${layout}`);
  await convertModel(completeOptions({ model: source, out, precision, layout }));
  const record = parseArtifactRecord(await readFile(join(out, 'artifact.json'), 'utf8'), out);
  return { out, record };
}

function feeds() {
  const data = Float32Array.from({ length: size }, (_, index) => Math.cos(index));
  return { x: { type: 'float32', dims: [size], data } } as const;
}

async function infer(address: string, delivery: 'stream' | 's3-copy'): Promise<Float32Array> {
  const opened = await openModel(address, { delivery, ephemeralDir, threads: 1, onLog: () => undefined });
  const { y } = await opened.run(feeds());
  await opened.close();
  return y?.data as Float32Array;
}

/** Where tensors are in the data file, bytes. */
async function dataOffsets(path: string): Promise<number[]> {
  const { graph: main } = proto.ModelProto.decode(await readFile(path));
  const constants = (main?.node ?? []).flatMap(({ attribute }) => attribute?.[0]?.t ?? []);
  return [...(main?.initializer ?? []), ...constants]
    .flatMap(({ externalData }) => externalData ?? [])
    .filter(({ key }) => key === 'offset')
    .map((entry) => Number(entry.value));
}

describe.each(choices)('what stream makes of %s.%s', (precision, layout) => {
  it('are the files of the plan, byte by byte, whose tensors a runtime can map', async () => {
    const { out, record } = await convert(precision, layout);
    const expanded = join(folder, 'expanded');
    await mkdir(expanded);
    const { signal } = new AbortController();
    const how = { partSizeBytes: 777, concurrency: 3, windowParts: 4, memoryBytes: 4096, signal };
    const store = await openStore(out);
    await downloadExpanded({
      ...{ ...how, store, record, keyPrefix: '', folder: expanded, onProgress: () => undefined },
    });
    const expected = await expandArtifact(out, record);
    expect((await readdir(expanded)).sort()).toEqual([...expected.keys()].sort());
    for (const [name, bytes] of expected)
      expect((await readFile(join(expanded, name))).equals(bytes), name).toBe(true);
    const offsets = await dataOffsets(join(expanded, record.expansion.entry));
    expect(offsets.length).toBeGreaterThanOrEqual(4);
    expect(offsets.filter((offset) => offset % 4096 !== 0)).toEqual([]);
  });

  it('computes what FP32 computes, but for what FP16 rounds', async () => {
    const { out } = await convert(precision, layout);
    const fp32 = await infer((await convert('fp32', 'single')).out, 's3-copy');
    const streamed = await infer(out, 'stream');
    const furthest = Math.max(...streamed.map((y, index) => Math.abs(y - (fp32[index] ?? Number.NaN))));
    // Each of four weights up to 1 is off by half a unit in the last of 11 bits at most.
    expect(furthest).toBeLessThanOrEqual(precision === 'fp32' ? 0 : 4 * 2 ** -12);
    expect(await readdir(ephemeralDir)).toEqual([]);
  });
});

describe('stream from a web server', () => {
  it('opens an artifact by the address of its record', async () => {
    const { out } = await convert('fp16-weights', 'external');
    const server = createServer(async (request, response) => {
      const path = join(out, request.url ?? '');
      const { size: sizeBytes } = await stat(path);
      const [, first, last] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
      const [start, end] = [Number(first ?? 0), Math.min(Number(last ?? sizeBytes), sizeBytes - 1)];
      const range = first === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${sizeBytes}` };
      response.writeHead(first === undefined ? 200 : 206, {
        ...{ 'content-length': end + 1 - start, etag: '"1"', ...range },
      });
      createReadStream(path, { start, end }).pipe(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.closeAllConnections());
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const address = `http://127.0.0.1:${port}/artifact.json`;
    expect(await infer(address, 'stream')).toEqual(await infer(out, 'stream'));
  });
});

describe('stream from S3', () => {
  let s3: RunningS3 | undefined;
  beforeAll(async () => {
    s3 = await startS3IfFound();
    if (s3 === undefined) return;
    useS3(s3);
    await mkdir(join(s3.folder, 'models'));
  });
  beforeEach(async (context) => {
    await requireS3(context, s3);
  });
  afterAll(async () => {
    await s3?.stop();
  });

  it.each([
    ['fp16-weights', 'external'],
    ['fp16-weights', 'single'],
    ['fp16', 'single'],
    ['fp32', 'single'],
  ] as const)('gives the same of %s.%s as from a folder', async (precision, layout) => {
    const { out, record } = await convert(precision, layout);
    const prefix = `vit/${record.variant.id}`;
    const bucket = await openStore('s3://models');
    for (const name of await readdir(out))
      await bucket.write(`${prefix}/${name}`, await readFile(join(out, name)), undefined);
    expect(await infer(`s3://models/${prefix}/artifact.json`, 'stream')).toEqual(await infer(out, 'stream'));
  });
});
