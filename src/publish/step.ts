import { setTimeout as sleep } from 'node:timers/promises';
import { defaultObjectSettings } from '../lib/object-settings.js';
import { makeFinding } from '../messages/finding.js';
import type { Step, StepOutcome } from '../pipeline/step.js';
import { openModelPlace } from './model-place.js';
import { nameRelease, type PublishOptions, type PublishResult, publishRelease } from './publish-release.js';
import { readReplacedCurrent } from './read-current.js';

/** What the step is made from; it takes the time when it runs. */
export type PublishStepOptions = Omit<PublishOptions, 'now'> & {
  /** Whether a `current.json` that somebody moved since is moved back; not part of what was done. */
  readonly movesBack: boolean;
};

/**
 * Makes the step that publishes the winner of a run.
 *
 * @param options - As {@link publishRelease} takes them.
 * @returns The step; it is done while its release document is there. A `current.json` that someone has pointed to another
 *   release since, as a rollback does, is left as it is, with the finding `current-moved`.
 */
export function publishStep(options: PublishStepOptions): Step<PublishResult> {
  const { storeUrl, name, chosen, reason, artifacts, to } = options;
  return {
    verb: 'publish',
    subject: '',
    key: {
      ...{ storeUrl, name, chosen, reason, to },
      artifacts: artifacts.map(({ digest, parity, budgets, bench }) => ({ digest, parity, budgets, bench })),
    },
    ensures: (output, { signal }) => lookAgain(options, output, signal),
    call: async (context) => {
      const now = await awaitFreeSecond(options, context.signal);
      const output = await publishRelease({ ...options, now }, context);
      return { output, line: describePublishing(output), findings: output.findings, verdict: 'ok' };
    },
  };
}

/** A release's name holds the second and the artifact: the same artifact is published once in a second. */
async function awaitFreeSecond(options: PublishStepOptions, signal: AbortSignal): Promise<Date> {
  const { store, keys } = await openPlace(options);
  const now = new Date();
  const key = keys.release(nameRelease(now, options.chosen.digest));
  if ((await store.head(key, signal)) === undefined) return now;
  await sleep(1_001 - now.getMilliseconds(), undefined, { signal });
  return new Date();
}

function openPlace({ storeUrl, name, settings = defaultObjectSettings }: PublishStepOptions) {
  return openModelPlace(storeUrl, name, settings);
}

async function lookAgain(
  options: PublishStepOptions,
  output: PublishResult,
  signal: AbortSignal,
): Promise<false | StepOutcome<PublishResult>> {
  const place = await openPlace(options);
  const { store, keys } = place;
  const current = await readReplacedCurrent(place, signal);
  const document = await store.head(keys.release(output.release), signal);
  // A damaged one is replaced by publishing again.
  if (!current?.record || document === undefined) return false;
  const { release, currentUrl } = output;
  const named = current.record.release;
  if (named === release) return { output, line: describePublishing(output), findings: [], verdict: 'ok' };
  if (options.movesBack) return false;
  const finding = makeFinding('warning', 'current-moved', { currentUrl, current: named, release });
  return {
    output,
    line: `${release} is published, but ${currentUrl} names ${named}`,
    findings: [finding],
    verdict: 'partly',
  };
}

function describePublishing({ release, currentUrl, previousRelease }: PublishResult): string {
  return `${release} is current in ${currentUrl}${previousRelease === null ? '' : ` (was: ${previousRelease})`}`;
}
