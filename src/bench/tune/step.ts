import { formatMs } from '../../lib/format-quantity.js';
import type { Step } from '../../pipeline/step.js';
import { describeMachine } from '../describe-machine.js';
import { digestFeeds } from '../digest-feeds.js';
import { keyOfOpenvino } from '../engine-in-use.js';
import type { TuneOptions } from './tune-options.js';
import type { TuneResult } from './tune-result.js';
import { tuneSessions } from './tune-sessions.js';

/** What the step is made from; the profile is opened when it has work to do. */
export type TuneStepOptions = Omit<TuneOptions, 'profile'> & {
  readonly openProfile: () => Promise<NonNullable<TuneOptions['profile']> & { close(): Promise<void> }>;
};

/**
 * Makes the step that chooses the session options of one variant by measuring them.
 *
 * @param options - As {@link tuneSessions} takes them.
 * @returns The step; nothing stays on disk, so a recorded result is good as long as the key is.
 */
export function tuneStep({ openProfile, ...options }: TuneStepOptions): Step<TuneResult> {
  const { variantId, digest, threads, levels, runs, warm, mostSteadyShare, memoryMiB } = options;
  return {
    verb: 'bench',
    subject: `tune ${variantId}`,
    key: {
      ...{ variantId, digest, threads, levels, runs, warm, mostSteadyShare, memoryMiB },
      ...keyOfOpenvino(options.openvino),
      machine: { ...describeMachine() },
      feeds: digestFeeds(options.feeds),
    },
    ensures: () => Promise.resolve(true),
    call: async (context) => {
      const profile = await openProfile();
      try {
        const output = await tuneSessions({ ...options, profile }, context);
        // Saved graphs are there to compare with: no release holds them.
        const failed = output.configurations.some((each) => each.error !== null && each.saved === null);
        return {
          output,
          line: describe(output),
          findings: output.findings,
          verdict: failed ? 'partly' : 'ok',
        };
      } finally {
        await profile.close();
      }
    },
  };
}

function describe({ configurations, chosen, front, engine }: TuneResult): string {
  const ready = configurations.flatMap(({ readyMs }) => readyMs ?? []);
  const fastest = ready.length === 0 ? '' : `; fastest first answer ${formatMs(Math.min(...ready))}`;
  const name = ({ prepacking, optimisation }: TuneResult['chosen']['own']) =>
    `${optimisation}${prepacking ? '' : ' without prepacking'}`;
  const tried = `${configurations.length} configuration${configurations.length === 1 ? '' : 's'}, ${front.length} on the front${fastest}`;
  if (engine === 'openvino') return tried;
  return `${tried}; chosen: ${name(chosen.own)}, stream ${name(chosen.stream)}`;
}
