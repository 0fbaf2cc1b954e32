// Run by `npm run bench:link` after a build: what was asked of a link against what it does, for both shapers, in turns. The
// bytes are asked for in this same process, so that server, shaper and client share its one thread: the worst there is.
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { linkPresets } from '../../dist/bench/link/link-presets.js';
import { startLoopbackServer } from '../../dist/bench/link/loopback-server.js';
import { measureLink } from '../../dist/bench/link/measure-link.js';
import { startShapedProxy } from '../../dist/bench/link/shaped-proxy.js';
import { planProbe } from '../../dist/bench/link/verify-link.js';
import { describeMachine, machineLine } from './bench-machine.mjs';
import { printLinkTable } from './link-bench-text.mjs';
import { downloadFromS3, startLinkedS3 } from './link-s3.mjs';
import { median } from './sample-statistics.mjs';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, json: { type: 'boolean', default: false } },
});
const runs = Math.max(1, Number(values.runs));
const log = (line) => console.error(line);
const { signal } = new AbortController();

const even = { jitterMs: 0, perConnectionBytesPerSecond: null };
const extremes = [
  ...[10, 90, 300].map((mb) => ({ ...even, latencyMs: 20, bytesPerSecond: mb * 1e6 })),
  ...[1, 100].map((latencyMs) => ({ ...even, latencyMs, bytesPerSecond: 90e6 })),
];
const narrow = { latencyMs: 20, jitterMs: 0, bytesPerSecond: 300e6, perConnectionBytesPerSecond: 25e6 };
const cases = [
  ...Object.entries(linkPresets).map(([name, { model }]) => ({ name, model, probe: planProbe(model) })),
  ...extremes.map((model) => ({ name: nameOf(model), model, probe: planProbe(model) })),
  ...[1, 4].map((connections) => {
    const askedBytesPerSecond = connections * narrow.perConnectionBytesPerSecond;
    const probe = { sizeBytes: askedBytesPerSecond * 1.5, connections, requests: 7, askedBytesPerSecond };
    return { name: `25 MB/s each, ${connections} at once`, model: narrow, probe };
  }),
];

const folder = await mkdtemp(join(tmpdir(), 'optimise-model-bench-link-'));
const s3 = await startLinkedS3(folder);
const loadBefore = loadavg()[0];
try {
  const rows = [];
  for (let run = 0; run < runs; run += 1) {
    for (const [index, one] of cases.entries()) {
      log(`run ${run + 1} of ${runs}: ${one.name}`);
      for (const shaper of shapersOf(one)) rows.push({ index, ...one, ...(await measure(shaper, one)) });
    }
  }
  const result = { machine: describeMachine(), runs, load: [loadBefore, loadavg()[0]], rows: sumUp(rows) };
  console.log(values.json ? JSON.stringify(result, null, 2) : print(result));
} finally {
  await s3?.stop();
  await rm(folder, { recursive: true, force: true });
}

function nameOf({ latencyMs, bytesPerSecond }) {
  return `${bytesPerSecond / 1e6} MB/s, ${latencyMs} ms`;
}

function shapersOf({ model }) {
  const target = s3 === null ? new URL('http://127.0.0.1:9') : new URL(s3.endpoint);
  const shapers = [
    { shaper: 'folder server', start: () => startLoopbackServer([folder], model), ask: askLink },
    { shaper: 'proxy', start: () => startShapedProxy(target, model), ask: askLink },
  ];
  if (s3 === null) return shapers;
  return [
    ...shapers,
    { shaper: 'proxy, S3 object', start: () => startShapedProxy(target, model), ask: askS3 },
  ];
}

async function measure({ shaper, start, ask }, { probe }) {
  const server = await start();
  const [cpu, startedMs] = [process.cpuUsage(), performance.now()];
  try {
    const seen = await ask(server.endpoint, probe);
    const { user, system } = process.cpuUsage(cpu);
    return { shaper, ...seen, cpuShare: (user + system) / 1000 / (performance.now() - startedMs) };
  } finally {
    await server.close();
  }
}

function askLink(endpoint, probe) {
  return measureLink(endpoint, probe, signal);
}

async function askS3(endpoint, probe) {
  return { bytesPerSecond: await downloadFromS3(s3, endpoint, probe), latencyMs: null };
}

function sumUp(samples) {
  const keys = [...new Set(samples.map(keyOf))];
  return keys.map((key) => {
    const group = samples.filter((one) => keyOf(one) === key);
    const [{ name, shaper, model, probe }] = group;
    const rates = group.map((one) => one.bytesPerSecond);
    const latencies = group.flatMap((one) => (one.latencyMs === null ? [] : [one.latencyMs]));
    return {
      ...{ name, shaper },
      rate: describe(rates, probe.askedBytesPerSecond),
      latency: latencies.length === 0 ? null : describe(latencies, model.latencyMs),
      cpuShare: median(group.map((one) => one.cpuShare)),
    };
  });
}

function keyOf({ index, shaper }) {
  return `${index} ${shaper}`;
}

function describe(values_, asked) {
  const middle = median(values_);
  const [min, max] = [Math.min(...values_), Math.max(...values_)];
  return { asked, median: middle, min, max, deviation: middle / asked - 1, samples: values_ };
}

function print({ machine, load, rows }) {
  const lines = [
    machineLine(machine),
    `${runs} runs each, in turns; load before and after: ${load.map((one) => one.toFixed(2)).join(', ')}`,
  ];
  return [...lines, '', ...printLinkTable(rows)].join('\n');
}
