import { readFile } from 'node:fs/promises';
import { formatMs } from '../lib/format-quantity.js';
import type { JsonValue } from '../lib/json.js';
import { hashBytes } from '../lib/sha256.js';
import type { NamedTensors } from '../lib/tensor.js';
import type { Step } from '../pipeline/step.js';
import { parseStoreUrl, splitObjectUrl } from '../store/store-url.js';
import type { BenchOptions } from './bench-options.js';
import type { BenchResult } from './bench-result.js';
import { benchmark } from './benchmark.js';
import { comparedMedians } from './compared-medians.js';
import { describeMachine } from './describe-machine.js';

/**
 * Makes the step that measures every variant by every delivery.
 *
 * Figures belong to a machine, so the machine is part of the key: the same run elsewhere measures again.
 *
 * @param options - As {@link benchmark} takes them.
 * @returns The step; it is still done as long as its raw samples are there.
 */
export function benchStep(options: BenchOptions): Step<BenchResult> {
  return {
    verb: 'bench',
    subject: '',
    key: keyOf(options),
    ensures: async (output) => (await countLines(options.samplesFile)) === output.samples.length,
    call: async (context) => {
      const output = await benchmark(options, context);
      return { output, line: describeBench(output), findings: output.findings };
    },
  };
}

function keyOf(options: BenchOptions): JsonValue {
  const { cpuModel, cores, node, platform } = describeMachine();
  const { runs, warm, threads, link, deliveries } = options;
  return {
    machine: { cpuModel, cores, node, platform },
    targets: options.targets.map(({ variantId, digest, artifactUrl }) => ({
      variantId,
      digest,
      store: nameStore(artifactUrl),
    })),
    deliveries,
    runs,
    warm,
    threads,
    link: link === 'direct' ? link : { ...link },
    environment: Object.fromEntries(
      Object.entries(options.environment).map(([delivery, { ms, source }]) => [delivery, { ms, source }]),
    ),
    skip: options.skip.map(({ variantId, delivery }) => ({ variantId, delivery })),
    feeds: digestFeeds(options.feeds),
  };
}

/** Where a folder lies does not change the figures; which server the bytes come from does. */
function nameStore(artifactUrl: string): string {
  const { storeUrl } = splitObjectUrl(artifactUrl);
  return parseStoreUrl(storeUrl).kind === 'directory' ? 'directory' : storeUrl;
}

function digestFeeds(feeds: NamedTensors): JsonValue {
  return Object.entries(feeds).map(([name, { type, dims, data }]) => {
    const bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : JSON.stringify(data);
    return { name, type, dims, sha256: hashBytes(bytes) };
  });
}

async function countLines(path: string): Promise<number> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').length - 1;
}

function describeBench({ rows, samples, link }: BenchResult): string {
  const failures = samples.filter((sample) => sample.error !== null).length;
  const counted = `${count(rows.length, 'row')}, ${count(samples.length, 'sample')}`;
  const taken = failures === 0 ? counted : `${counted}, ${failures} failed`;
  const totals = rows.flatMap((row) => {
    const { totalMs } = comparedMedians(row);
    return totalMs === null ? [] : [{ row, totalMs }];
  });
  const [best] = totals.sort((left, right) => left.totalMs - right.totalMs);
  const way = link.simulated ? ', simulated link' : '';
  if (best === undefined) return `${taken}${way}`;
  const { variantId, delivery } = best.row;
  return `${taken}; lowest total ${formatMs(best.totalMs)}: ${variantId} by ${delivery}${way}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
