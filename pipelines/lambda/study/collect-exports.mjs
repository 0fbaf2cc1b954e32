import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callAws } from './call-aws.mjs';

/** Logs and traces arrive a little after the call. */
const arrivalMs = Number(process.env.STUDY_ARRIVAL_MS ?? 60_000);
/** What X-Ray takes in one question. */
const longestRangeMs = 6 * 3_600_000;
const mostTraces = 5;
const mostAttempts = 5;
const retryMs = Math.min(arrivalMs, 2000);

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
  const { traces, missing } = await readDocuments([...ids]);
  if (missing.length > 0) {
    console.error(
      `${name}: X-Ray did not give ${missing.length} of ${ids.size} traces, even when asked ${mostAttempts} times; ` +
        'collect again later with the same --since, or the calls without a trace lack what only X-Ray times',
    );
  }
  return traces;
}

/**
 * Asks again for what X-Ray leaves unprocessed, which it does when it is asked too much or too early.
 *
 * @param {readonly string[]} ids
 * @returns {Promise<{ traces: readonly object[], missing: readonly string[] }>}
 */
async function readDocuments(ids) {
  const traces = [];
  let missing = ids;
  for (let attempt = 1; attempt <= mostAttempts && missing.length > 0; attempt += 1) {
    if (attempt > 1) await sleep(retryMs * 2 ** (attempt - 2));
    const unprocessed = [];
    for (let index = 0; index < missing.length; index += mostTraces) {
      const page = missing.slice(index, index + mostTraces);
      const answer = await callAws('xray', 'batch-get-traces', '--trace-ids', ...page);
      traces.push(...answer.Traces);
      unprocessed.push(...(answer.UnprocessedTraceIds ?? []));
    }
    missing = unprocessed;
  }
  return { traces, missing };
}
