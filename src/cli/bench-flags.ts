import type { Command } from 'commander';
import { type CacheMode, cacheModes, type Delivery, deliveries, linkNames } from '../api/choices.js';
import type { Pipeline } from '../api/run.js';
import { fewestSamples } from '../lib/sample-counts.js';
import { OptimiseModelError } from '../messages/error.js';
import { commander } from './commander.js';
import { repeatable } from './parse-choices.js';
import { parsePositiveInteger, parseWholeNumber } from './parse-option.js';
import { parsePercentage } from './parse-percentage.js';

/** What `bench` takes besides the run. */
export type BenchFlags = {
  readonly delivery?: readonly Delivery[];
  readonly runs?: number;
  readonly targetWidth?: number;
  readonly mostRuns?: number;
  readonly warm?: number;
  readonly threads?: number;
  readonly memoryMib?: readonly number[];
  readonly cache?: CacheMode;
  readonly link?: string;
  readonly quick?: true;
  readonly tune?: true;
  readonly sweep?: true;
  readonly baseline?: string;
  readonly maxSlowdown?: number;
};

/** Enough to see that everything works and what is far off; not enough to tell a few percent. */
const quick = { runs: 3, warm: 5 } as const;
/** A release cannot be judged by fewer. */
const quickGate = { runs: fewestSamples, warm: 5 } as const;

/**
 * Adds the options of `bench`.
 *
 * @param command - The command.
 * @returns The same.
 */
export function addBenchFlags(command: Command): Command {
  return command
    .addOption(repeatable('--delivery <delivery>', 'only this delivery', deliveries))
    .option('--runs <n>', 'samples per row, each a new process', parsePositiveInteger)
    .option(
      '--target-width <share>',
      'go on until the 95 % interval of each median total is this narrow, such as 5%',
      parsePercentage,
    )
    .option('--most-runs <n>', 'where --target-width stops', parsePositiveInteger)
    .option('--warm <n>', 'inferences after the first, per sample', parseWholeNumber)
    .option('--threads <n>', 'threads inside one operator', parsePositiveInteger)
    .option('--memory-mib <n>', 'memory of a function to imitate, MiB; repeatable', collectMemory)
    .addOption(
      new commander.Option(
        '--cache <mode>',
        'before each sample: evict its files from the page cache, drop all of it, or fill it',
      ).choices(cacheModes),
    )
    .addOption(
      new commander.Option('--link <name>', 'a link by name, real for none').choices([...linkNames, 'real']),
    )
    .option(
      '--quick',
      `few samples, for CI: ${quick.runs} runs of ${quick.warm} inferences, ${quickGate.runs} runs with a baseline`,
    )
    .option('--tune', 'choose session options by measuring them first')
    .option('--sweep', 'measure workers × threads in steady state as well')
    .option(
      '--baseline <release>',
      'an earlier release to measure beside: its name, `current`, or its address',
    )
    .option(
      '--max-slowdown <share>',
      'how much slower than --baseline the lowest total may be; 10% when left out',
      parsePercentage,
    );
}

function collectMemory(text: string, before: readonly number[] | undefined): readonly number[] {
  return [...(before ?? []), ...text.split(',').map((each) => parsePositiveInteger(each.trim()))];
}

/** What is quick stops at its runs. */
function withoutTarget({
  targetWidth: _width,
  mostRuns: _most,
  ...bench
}: Pipeline['bench']): Pipeline['bench'] {
  return bench;
}

/**
 * Puts the options into what a run measures.
 *
 * @param pipeline - The run's pipeline.
 * @param flags - What was given.
 * @returns The pipeline with them.
 * @throws `usage-wrong` for a slowdown without a release.
 */
export function applyBenchFlags(pipeline: Pipeline, flags: BenchFlags): Pipeline {
  const { bench } = pipeline;
  const { delivery, memoryMib, baseline, maxSlowdown, quick: isQuick, ...others } = flags;
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  const compared = baseline ?? bench.baseline?.release;
  if (maxSlowdown !== undefined && compared === undefined) {
    const problem =
      'option --max-slowdown says how much slower than a release is accepted, but none is named';
    throw OptimiseModelError.of('usage-wrong', { problem, command: 'optimise-model bench' });
  }
  return {
    ...pipeline,
    bench: {
      ...(isQuick === undefined
        ? bench
        : { ...withoutTarget(bench), ...(compared === undefined ? quick : quickGate) }),
      ...given,
      ...(delivery === undefined ? {} : { deliveries: [...delivery] }),
      ...(memoryMib === undefined ? {} : { memoryMiB: [...memoryMib] }),
      ...(compared === undefined
        ? {}
        : {
            baseline: {
              release: compared,
              maxSlowdown: maxSlowdown ?? bench.baseline?.maxSlowdown ?? 0.1,
            },
          }),
    },
  };
}
