// Whether cold is cold: reading a file of 256 MiB after its eviction against reading it from the page cache, in turns.
// The eviction is the benchmark's own and counts only with no page left. `npm run bench:cold [-- ROUNDS [FOLDER]]`
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { markdownTable } from 'markdown-table';
import { prepareCache } from '../../dist/bench/cache/prepare-cache.js';
import { makeTemporaryFolder } from '../../dist/lib/temporary-folder.js';
import { countResidentPages } from '../../dist/native/page-cache.js';
import { median } from './sample-statistics.mjs';

const sizeMiB = 256;
const [rounds = '7', folder = tmpdir()] = process.argv.slice(2);
const { signal } = new AbortController();
const piece = Buffer.alloc(1 << 20);

const own = await makeTemporaryFolder(folder, 'optimise-model-cold-');
try {
  const path = join(own, 'sidecar');
  await writeFile(path);
  const subjects = [
    { name: 'after eviction', mode: 'evict', state: 'evicted', resident: 0, samples: [], prepared: [] },
    {
      name: 'from the page cache',
      mode: 'warm',
      state: 'warm',
      resident: sizeMiB * 256,
      samples: [],
      prepared: [],
    },
  ];
  for (let round = 0; round < Number(rounds); round += 1) {
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) await measure(path, subject);
  }
  const rows = subjects.map(describe);
  const [cold, warm] = subjects.map(({ samples }) => median(samples));
  const head = [
    `${sizeMiB} MiB, ${rounds} rounds`,
    'pages before',
    'read ms, median',
    'min–max',
    'MiB/s',
    'prepared in ms',
  ];
  process.stdout.write(`${markdownTable([head, ...rows], { align: ['l', 'r', 'r', 'r', 'r', 'r'] })}\n\n`);
  process.stdout.write(`cold ÷ warm: ${(cold / warm).toFixed(1)} (at least 3 is wanted)\n`);
  if (cold / warm < 3) process.exitCode = 1;
} finally {
  await rm(own, { recursive: true, force: true });
}

/** Written a moment ago, as a converter does it. */
async function writeFile(path) {
  const file = await open(path, 'w');
  for (let at = 0; at < sizeMiB; at += 1) await file.write(piece.fill(at + 1));
  await file.close();
}

async function measure(path, subject) {
  const beganMs = performance.now();
  const { state } = await prepareCache(subject.mode, { cold: [path], warm: [], served: [] }, signal);
  subject.prepared.push(performance.now() - beganMs);
  const pages = await countResidentPages(path);
  if (state !== subject.state || pages?.resident !== subject.resident) {
    throw new Error(
      `${subject.name}: the state is ${state} with ${pages?.resident} of ${pages?.total} pages`,
    );
  }
  const startedMs = performance.now();
  const file = await open(path);
  while ((await file.read(piece, 0, piece.length)).bytesRead > 0);
  await file.close();
  subject.samples.push(performance.now() - startedMs);
}

function describe({ name, resident, samples, prepared }) {
  const middle = median(samples);
  const spread = `${Math.round(Math.min(...samples))}–${Math.round(Math.max(...samples))}`;
  const rate = Math.round(sizeMiB / (middle / 1000));
  return [name, resident, Math.round(middle), spread, rate, Math.round(median(prepared))];
}
