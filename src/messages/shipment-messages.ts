import { defineMessage } from './message.js';

/** Real runs that a choice rests on, a choice that is held against an expected one, and what it ships as. */
export const shipmentMessages = {
  'pick-imported-memories': defineMessage<{ memories: readonly number[] }>({
    exit: 2,
    what: ({ memories }) =>
      `The import has runs at ${memories.join(', ')} MiB, and the run imitates no memory: figures of different memories ` +
      'cannot be compared.',
    remedy: () =>
      'Set `bench.memoryMiB` in the pipeline (`bench --memory-mib`) to the one that is shipped, or import logs of one memory.',
  }),
  'pick-imported-unused': defineMessage<{ rows: readonly string[]; total: number }>({
    exit: 2,
    what: ({ rows, total }) =>
      `${rows.length} of ${total} cold rows of the import are of no candidate: ${rows.join('; ')}.`,
    remedy: () =>
      'Name variants and deliveries as the run does in what the function logs (`variantId`, `delivery`), at the memory of ' +
      '`bench.memoryMiB`.',
  }),
  'pick-snapstart-needs-image': defineMessage<{ winner: string; source: string; asOf: string }>({
    exit: 1,
    what: ({ winner, source, asOf }) =>
      `${winner} ships as a container image only: SnapStart takes no zip file of managed Node.js (${source}, read ${asOf}).`,
    remedy: () =>
      'Ship it as an image with the label com.amazonaws.lambda.feature.snapstart=Allow, or leave snapstart out of ' +
      '`pick.startModes` (`--start-modes on-demand`).',
  }),
  'pick-not-expected': defineMessage<{
    expected: string;
    /** Null for one that was named with `--expect`. */
    recordedIn: string | null;
    /** Null when no candidate is left. */
    picked: string | null;
    reason: string;
    loss: string;
  }>({
    exit: 1,
    what: ({ expected, recordedIn, picked, reason, loss }) =>
      `${picked ?? 'Nothing'} is picked, where ${expected} was expected${recordedIn === null ? '' : ` (by ${recordedIn})`}: ` +
      `${reason}. Of ${expected}: ${loss}.`,
    remedy: ({ picked, recordedIn }) => {
      if (picked === null)
        return 'Mend what the expected one lost by, or loosen `pick.require` or `pick.limits` in the pipeline.';
      return recordedIn === null
        ? `Ship it and expect it from now on (\`--expect ${picked}\`), or mend what the expected one lost by.`
        : 'Publish it all the same (`optimise-model publish`), which makes it the recorded one, or mend what the expected one lost by.';
    },
  }),
  'pick-nothing-recorded': defineMessage<{ storeUrl: string; name: string; runFolder: string }>({
    exit: 1,
    what: ({ storeUrl, name, runFolder }) =>
      `No choice of ${name} is recorded that this one could be held against: no release is current in ${storeUrl}, and no earlier run in ${runFolder} picked one.`,
    remedy: () =>
      'Publish this one, and it is expected from now on; or name what is expected (`--expect VARIANT:DELIVERY`).',
  }),
  'pick-expected-unknown': defineMessage<{
    expected: string;
    known: readonly string[];
    nearest: string | null;
  }>({
    exit: 2,
    what: ({ expected, known }) =>
      `\`${expected}\` names no candidate of this run; it has ${known.join(', ')}.`,
    remedy: ({ nearest }) =>
      nearest === null
        ? 'Name a variant, or VARIANT:DELIVERY or VARIANT:DELIVERY:START, with `--expect`, or `recorded`.'
        : `Did you mean \`--expect ${nearest}\`?`,
  }),
  'sam-parameters-impossible': defineMessage<{ picked: string; problem: string }>({
    exit: 2,
    what: ({ picked, problem }) => `There are no parameters for SAM of ${picked}: ${problem}.`,
    remedy: () => 'Take what is shipped from `optimise-model pick --json`, field `shipment`.',
  }),
};
