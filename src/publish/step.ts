import type { Step } from '../pipeline/step.js';
import { openStore } from '../store/open-store.js';
import { stagedKeys } from '../store/staged-layout.js';
import { type PublishOptions, type PublishResult, publishRelease, readCurrent } from './publish-release.js';

/** What the step is made from; it takes the time when it runs. */
export type PublishStepOptions = Omit<PublishOptions, 'now'>;

/**
 * Makes the step that publishes the winner of a run.
 *
 * @param options - As {@link publishRelease} takes them.
 * @returns The step; it is still done while `current.json` points to its release.
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
    ensures: (output) => isStillCurrent(options, output),
    call: async (context) => {
      const output = await publishRelease({ ...options, now: new Date() }, context);
      return { output, line: describePublishing(output), findings: [] };
    },
  };
}

async function isStillCurrent(
  { storeUrl, name }: PublishStepOptions,
  output: PublishResult,
): Promise<boolean> {
  const store = await openStore(storeUrl);
  const keys = stagedKeys(name);
  const current = await readCurrent(store, keys.current, undefined);
  if (current?.record.release !== output.release) return false;
  return (await store.head(keys.release(output.release))) !== undefined;
}

function describePublishing({ release, currentUrl, previousRelease }: PublishResult): string {
  return `${release} is current in ${currentUrl}${previousRelease === null ? '' : ` (before: ${previousRelease})`}`;
}
