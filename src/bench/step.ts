import { readFile, stat } from 'node:fs/promises';
import { cacheTitles } from '../lib/cache-state.js';
import { findComparedRow } from '../lib/compared-row.js';
import { formatExactBytes, formatMs } from '../lib/format-quantity.js';
import type { JsonValue } from '../lib/json.js';
import { showAddress } from '../lib/show-address.js';
import type { Step, StepOutcome } from '../pipeline/step.js';
import { parseStoreUrl, splitObjectUrl } from '../store/store-url.js';
import { type BenchOptions, defaultTimeoutMs } from './bench-options.js';
import type { BenchResult } from './bench-result.js';
import { localEndpoint } from './bench-servers.js';
import { benchmark } from './benchmark.js';
import { comparedMedians } from './compared-medians.js';
import { describeMachine } from './describe-machine.js';
import { digestFeeds } from './digest-feeds.js';
import { keyOfOpenvino } from './engine-in-use.js';
import { stateEnvironment } from './state-environment.js';
import { printSample } from './take-samples.js';

/**
 * Makes the step that measures every variant by every delivery.
 *
 * Figures belong to a machine, so the machine is part of the key: the same run elsewhere measures again. What is stated
 * of the time before the process is not: it is put into what has been measured.
 *
 * @param options - As {@link benchmark} takes them.
 * @returns The step; it is still done as long as its raw samples are there, every one of them, and none has failed.
 */
export function benchStep(options: BenchOptions): Step<BenchResult> {
  return {
    verb: 'bench',
    subject: '',
    key: keyOf(options),
    ensures: async (output) => {
      // What failed may work now: a measurement with holes is taken again.
      if (!isWhole(output)) return false;
      const text = await readIfFile(options.samplesFile);
      return (
        text === [...output.samples, ...output.limitSamples].map(printSample).join('') &&
        report(stateEnvironment(output, options), options)
      );
    },
    call: async (context) => report(await benchmark(options, context), options),
  };
}

function report(output: BenchResult, { baseline }: BenchOptions): StepOutcome<BenchResult> {
  const verdict = isWhole(output) ? 'ok' : 'partly';
  return { output, line: describeBench(output, baseline?.variantId), findings: output.findings, verdict };
}

function isWhole({ samples }: BenchResult): boolean {
  return samples.every((sample) => sample.error === null);
}

/** Empty for anything but a file: a named pipe would be waited for. */
async function readIfFile(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? readFile(path, 'utf8').catch(() => '') : '';
}

function keyOf(options: BenchOptions): JsonValue {
  const { cpuModel, cores, node, platform } = describeMachine();
  const { runs, targetWidth, mostRuns, warm, threads, memoryMiB, cacheMode } = options;
  const { deliveries, disk, hub, mount, baseline, timeoutMs = defaultTimeoutMs } = options;
  const stores = options.targets.map((target) => nameStore(target.artifactUrl, process.env));
  return {
    machine: { cpuModel, cores, node, platform },
    targets: options.targets.map(({ variantId, digest, sessions }, index) => ({
      ...{ variantId, digest, sessions },
      store: stores[index] ?? null,
    })),
    ...{ deliveries, runs, targetWidth, mostRuns, warm, threads, memoryMiB, cacheMode, timeoutMs },
    ...{ disk, mount, baseline, ...keyOfOpenvino(options.openvino) },
    hub: deliveries.includes('url') ? hub : null,
    link: nameLink(options, stores.includes('directory')),
    skip: options.skip.map(({ variantId, delivery }) => ({ variantId, delivery })),
    feeds: digestFeeds(options.feeds),
  };
}

/** Where a folder lies does not change the figures; which server the bytes come from does. */
function nameStore(artifactUrl: string, environment: NodeJS.ProcessEnv): JsonValue {
  const { storeUrl } = splitObjectUrl(artifactUrl);
  const { kind } = parseStoreUrl(storeUrl);
  if (kind === 'directory') return kind;
  if (kind === 'http') return storeUrl;
  return {
    url: storeUrl,
    endpoint: showAddress(environment.AWS_ENDPOINT_URL_S3 || environment.AWS_ENDPOINT_URL || ''),
    region: environment.AWS_REGION || environment.AWS_DEFAULT_REGION || '',
    // A profile may name both of them.
    profile: environment.AWS_PROFILE || '',
  };
}

/** Nothing is simulated in front of a server elsewhere, or where nothing is downloaded. */
function nameLink({ link, deliveries }: BenchOptions, isFolder: boolean): JsonValue {
  const isSimulated = isFolder || localEndpoint(process.env) !== null;
  const isPassed = deliveries.some((delivery) => delivery !== 'layer' && delivery !== 'mount');
  return link === 'direct' || !isSimulated || !isPassed ? null : { ...link };
}

function describeBench(output: BenchResult, baselineId: string | undefined): string {
  const { rows, samples, link, hubLink } = output;
  const failures = samples.filter((sample) => sample.error !== null).length;
  const counted = `${count(rows.length, 'row')}, ${count(samples.length, 'sample')}`;
  const taken = failures === 0 ? counted : `${counted}, ${failures} failed`;
  const way = [link, hubLink].some((each) => each?.simulated) ? ', simulated link' : '';
  return `${taken}${describeLowest(output, baselineId)}${way}`;
}

/** Of what could be shipped: the release that a run is compared with has been. */
function describeLowest(output: BenchResult, baselineId: string | undefined): string {
  const totals = output.rows.flatMap((row) => {
    const found = findComparedRow(output, row.variantId, row.delivery);
    const { totalMs } = comparedMedians(row);
    const isCandidate = found?.row === row && found.notComparable === null && row.variantId !== baselineId;
    return isCandidate && totalMs !== null ? [{ row, totalMs }] : [];
  });
  const [best] = totals.sort((left, right) => left.totalMs - right.totalMs);
  if (best === undefined) return '';
  const { variantId, delivery, memoryMiB, cache } = best.row;
  const where = memoryMiB === null ? '' : ` at ${formatExactBytes(memoryMiB)} MiB`;
  return `; lowest total ${formatMs(best.totalMs)}: ${variantId} by ${delivery}${where} (${cacheTitles[cache]})`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
