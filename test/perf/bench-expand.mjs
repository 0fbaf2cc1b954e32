// How fast an artifact's bytes become the files of its expanded model, once they are on this machine: far above any link
// to a store, or `stream` would wait for it. `npm run bench:expand`
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { markdownTable } from 'markdown-table';
import { downloadExpanded } from '../../dist/loader/stream/download-expanded.js';
import { parseArtifactRecord } from '../../dist/store/artifact-record.js';
import { describeMachine, machineLine } from './bench-machine.mjs';
import { median } from './sample-statistics.mjs';
import { writeVit } from './vit-model.mjs';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '7' },
    cache: { type: 'string', default: join(tmpdir(), 'optimise-model-bench') },
  },
});
const runs = Math.max(1, Number(values.runs));
/** What a socket has ready at a time. */
const chunkBytes = 64 * 1024;
const partSizeBytes = 4 * 1024 ** 2;

await mkdir(values.cache, { recursive: true });
const artifact = await findArtifact(values.cache);
const record = parseArtifactRecord(await readFile(join(artifact, 'artifact.json'), 'utf8'), artifact);
const expanded = await expandOnce();
const subjects = [
  {
    name: 'ours: SHA-256, expanded by the plan, written',
    bytes: record.sizeBytes,
    run: (to) => expand(to, 4),
  },
  { name: 'ours, one part at a time', bytes: record.sizeBytes, run: (to) => expand(to, 1) },
  { name: 'plain JavaScript loop, table, written, no SHA-256', bytes: record.sizeBytes, run: expandPlainly },
  { name: 'floor: copy of the expanded files', bytes: record.sizeBytes, run: copyExpanded },
];
for (const subject of subjects) subject.samples = [];
// The first round fills the caches of files and of compiled code, and is not counted.
for (let round = 0; round <= runs; round += 1) {
  for (const turn of subjects.keys()) {
    const { run, samples } = subjects[(turn + round) % subjects.length];
    const folder = await mkdtemp(join(values.cache, 'expand-'));
    const startedMs = performance.now();
    await run(folder);
    const wallMs = performance.now() - startedMs;
    await rm(folder, { recursive: true });
    if (round > 0) samples.push(wallMs);
  }
}
await rm(expanded, { recursive: true });
print();

async function findArtifact(cache) {
  const model = join(cache, 'vit-base-patch8-224.onnx');
  if ((await stat(model).catch(() => undefined)) === undefined) await writeVit(model);
  const folder = join(cache, 'expand-artifact');
  await rm(folder, { recursive: true, force: true });
  const bin = fileURLToPath(new URL('../../dist/bin.js', import.meta.url));
  const args = ['convert', model, '--precision', 'fp16-weights', '--layout', 'external', '--out', folder];
  const { status, stderr } = spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return folder;
}

/** A store whose bytes are in the page cache, handed over as a socket does: in one buffer that is used again. */
function pageCacheStore() {
  return {
    url: artifact,
    receiveRange: async (key, { offset, length }, take) => {
      const file = openSync(join(artifact, key), 'r');
      const buffer = new Uint8Array(chunkBytes);
      try {
        for (let done = 0; done < length; ) {
          const count = readSync(file, buffer, 0, Math.min(chunkBytes, length - done), offset + done);
          take(buffer.subarray(0, count));
          done += count;
          // Other ranges take their turn, as sockets do.
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        closeSync(file);
      }
    },
  };
}

async function expand(folder, concurrency) {
  const { signal } = new AbortController();
  const how = { store: pageCacheStore(), partSizeBytes, concurrency, signal, onProgress: () => undefined };
  await downloadExpanded({
    ...how,
    record,
    keyPrefix: '',
    folder,
    memoryBytes: 16 * 1024 ** 2,
    windowParts: 2 * concurrency,
  });
}

async function expandOnce() {
  const folder = await mkdtemp(join(values.cache, 'expanded-'));
  await expand(folder, 1);
  return folder;
}

async function copyExpanded(folder) {
  for (const { path } of record.expansion.files) {
    // As bytes, not as a second name for the same blocks.
    const { status } = spawnSync('cp', ['--reflink=never', join(expanded, path), join(folder, path)]);
    if (status !== 0) await copyFile(join(expanded, path), join(folder, path));
  }
}

/** The largest artifact file as if it were nothing but halves, number by number. */
async function expandPlainly(folder) {
  const { path } = record.files.toSorted((left, right) => right.sizeBytes - left.sizeBytes)[0];
  const table = Float32Array.from({ length: 65_536 }, (_unused, half) => halfToFloat(half));
  const [source, target] = [openSync(join(artifact, path), 'r'), openSync(join(folder, 'plain'), 'w')];
  const halves = new Uint16Array(chunkBytes / 2);
  const floats = new Float32Array(chunkBytes / 2);
  for (let count = readSync(source, halves); count > 0; count = readSync(source, halves)) {
    const elements = count / 2;
    for (let index = 0; index < elements; index += 1) floats[index] = table[halves[index]];
    writeSync(target, floats, 0, 4 * elements);
  }
  closeSync(source);
  closeSync(target);
}

function halfToFloat(half) {
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  const sign = half >> 15 === 0 ? 1 : -1;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

function print() {
  const { sizeBytes, expandedSizeBytes } = record;
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
  console.log(machineLine(describeMachine()));
  console.log(
    `${megabytes(sizeBytes)} in the page cache, ${megabytes(expandedSizeBytes)} written, ${runs} runs each in turns`,
  );
  const rows = subjects.map(({ name, bytes, samples }) => [
    name,
    median(samples).toFixed(0),
    `${Math.min(...samples).toFixed(0)}–${Math.max(...samples).toFixed(0)}`,
    (bytes / median(samples) / 1e6).toFixed(2),
  ]);
  const head = ['', 'ms, median', 'min–max', 'GB/s of the artifact'];
  console.log(markdownTable([head, ...rows], { align: ['l', 'r', 'r', 'r'] }));
}
