import { setTimeout as sleep } from 'node:timers/promises';
import { makeFinding } from '../messages/finding.js';
import type { Step, StepOutcome } from '../pipeline/step.js';
import { openStore } from '../store/open-store.js';
import { stagedKeys } from '../store/staged-layout.js';
import {
  nameRelease,
  type PublishOptions,
  type PublishResult,
  publishRelease,
  readCurrent,
} from './publish-release.js';

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
      return { output, line: describePublishing(output), findings: [], verdict: 'ok' };
    },
  };
}

/** A release's name holds the second and the artifact: the same artifact is published once in a second. */
async function awaitFreeSecond(
  { storeUrl, settings, name, chosen }: PublishStepOptions,
  signal: AbortSignal,
): Promise<Date> {
  const store = await openStore(storeUrl, settings);
  const now = new Date();
  const key = stagedKeys(name).release(nameRelease(now, chosen.digest));
  if ((await store.head(key, signal)) === undefined) return now;
  await sleep(1_001 - now.getMilliseconds(), undefined, { signal });
  return new Date();
}

async function lookAgain(
  { storeUrl, settings, name, movesBack }: PublishStepOptions,
  output: PublishResult,
  signal: AbortSignal,
): Promise<false | StepOutcome<PublishResult>> {
  const store = await openStore(storeUrl, settings);
  const keys = stagedKeys(name);
  const current = await readCurrent(store, keys.current, signal);
  const document = await store.head(keys.release(output.release), signal);
  if (current === undefined || document === undefined) return false;
  const { release, currentUrl } = output;
  const named = current.record.release;
  if (named === release) return { output, line: describePublishing(output), findings: [], verdict: 'ok' };
  if (movesBack) return false;
  const finding = makeFinding('warning', 'current-moved', { currentUrl, current: named, release });
  return {
    output,
    line: `${release} is published, but ${currentUrl} names ${named}`,
    findings: [finding],
    verdict: 'partly',
  };
}

function describePublishing({ release, currentUrl, previousRelease }: PublishResult): string {
  return `${release} is current in ${currentUrl}${previousRelease === null ? '' : ` (before: ${previousRelease})`}`;
}
