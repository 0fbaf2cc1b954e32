import { formatMs } from '../../lib/format-quantity.js';
import type { Step } from '../../pipeline/step.js';
import { describeMachine } from '../describe-machine.js';
import { digestFeeds } from '../digest-feeds.js';
import { keyOfOpenvino } from '../engine-in-use.js';
import { priceSweep } from './price-sweep.js';
import type { SweepOptions } from './sweep-options.js';
import type { SweepResult } from './sweep-result.js';
import { sweepSteady } from './sweep-steady.js';

/** What the step is made from; the profile is opened when it has work to do. */
export type SweepStepOptions = Omit<SweepOptions, 'profile'> & {
  readonly openProfile: () => Promise<NonNullable<SweepOptions['profile']> & { close(): Promise<void> }>;
};

/**
 * Makes the step that measures workers × threads of one variant in steady state.
 *
 * @param options - As {@link sweepSteady} takes them.
 * @returns The step; what it costs follows from a price that is no part of the key: what was measured is priced anew.
 */
export function sweepStep({ openProfile, ...options }: SweepStepOptions): Step<SweepResult> {
  const { variantId, digest, session, memoryMiB, cpus, window, rounds, price } = options;
  const report = (output: SweepResult) => {
    const failed = output.points.some((point) => point.error !== null);
    const verdict = failed ? ('partly' as const) : ('ok' as const);
    return { output, line: describe(output), findings: output.findings, verdict };
  };
  return {
    verb: 'bench',
    subject: memoryMiB === null ? `sweep ${variantId}` : `sweep ${variantId} ${memoryMiB} MiB`,
    key: {
      ...{ variantId, digest, session, memoryMiB, cpus, window, rounds },
      ...keyOfOpenvino(options.openvino),
      machine: { ...describeMachine() },
      feeds: digestFeeds(options.feeds),
    },
    ensures: (output) => Promise.resolve(report(priceSweep(output, price))),
    call: async (context) => {
      const profile = await openProfile();
      try {
        return report(await sweepSteady({ ...options, profile }, context));
      } finally {
        await profile.close();
      }
    },
  };
}

function describe({ points, best }: SweepResult): string {
  const [fast, busy] = [best.latency, best.throughput].map((index) => points[index ?? -1]);
  const count = `${points.length} combinations`;
  if (fast === undefined || busy === undefined) return count;
  return (
    `${count}; lowest latency ${formatMs(fast.p50Ms ?? 0)} by ${fast.workers} × ${fast.threads} threads, ` +
    `highest throughput ${(busy.throughputPerSecond ?? 0).toPrecision(3)}/s by ${busy.workers} × ${busy.threads} threads`
  );
}
