import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callAws } from './call-aws.mjs';

/** Logs and traces arrive a little after the call. */
const arrivalMs = Number(process.env.STUDY_ARRIVAL_MS ?? 60_000);
/** What X-Ray takes in one question. */
const longestRangeMs = 6 * 3_600_000;
const mostTraces = 5;

/**
 * Writes what `optimise-model bench import` reads: per function one file of log events and one of traces.
 *
 * @param {readonly string[]} functions - Their names.
 * @param {number} sinceMs - Unix time, milliseconds.
 * @param {string} folder - Where the files go.
 */
export async function collectExports(functions, sinceMs, folder) {
  await sleep(arrivalMs);
  await mkdir(folder, { recursive: true });
  const untilMs = Date.now();
  for (const name of functions) {
    const range = ['--start-time', String(sinceMs), '--end-time', String(untilMs)];
    const group = ['--log-group-name', `/aws/lambda/${name}`];
    const events = await callAws('logs', 'filter-log-events', ...group, ...range);
    await writeFile(join(folder, `${name}.events.json`), JSON.stringify(events));
    const traces = await readTraces(name, sinceMs, untilMs);
    await writeFile(join(folder, `${name}.traces.json`), JSON.stringify({ Traces: traces }));
  }
  console.error(`Now: optimise-model bench import ${join(folder, '*.json')}`);
}

/**
 * @param {string} name
 * @param {number} sinceMs
 * @param {number} untilMs
 */
async function readTraces(name, sinceMs, untilMs) {
  const ids = new Set();
  for (let fromMs = sinceMs; fromMs < untilMs; fromMs += longestRangeMs) {
    const toMs = Math.min(fromMs + longestRangeMs, untilMs);
    const range = ['--start-time', String(fromMs / 1000), '--end-time', String(toMs / 1000)];
    const filter = ['--filter-expression', `service("${name}")`];
    const { TraceSummaries: summaries } = await callAws('xray', 'get-trace-summaries', ...range, ...filter);
    for (const { Id: id } of summaries) ids.add(id);
  }
  const list = [...ids];
  const traces = [];
  for (let index = 0; index < list.length; index += mostTraces) {
    const page = list.slice(index, index + mostTraces);
    traces.push(...(await callAws('xray', 'batch-get-traces', '--trace-ids', ...page)).Traces);
  }
  return traces;
}
