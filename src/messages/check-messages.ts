import { defineMessage } from './message.js';

const exact = (sizeBytes: number) => `${sizeBytes.toLocaleString('en-US')} B`;
const mebibytes = (sizeBytes: number) => `${Number((sizeBytes / 1024 ** 2).toFixed(1))} MiB`;

/** Size budgets and what is measured against them. */
export const checkMessages = {
  'budget-exceeded': defineMessage<{
    variantId: string;
    delivery: string;
    budget: string;
    usedBytes: number;
    limitBytes: number;
    leftBytes: number;
    rule: string;
  }>({
    exit: 1,
    what: (facts) =>
      `${facts.variantId} by ${facts.delivery}: ${facts.budget} ${exact(facts.usedBytes)} must be ${facts.rule} ` +
      `${exact(facts.limitBytes)}; ${facts.leftBytes === 0 ? 'it is at the limit' : `over by ${exact(-facts.leftBytes)}`}.`,
    remedy: (facts) => {
      if (facts.budget === 'ephemeral') {
        return 'Raise `budgets.ephemeralMiB` (`--ephemeral-mib`, at most 10240), or convert with `--precision fp16-weights`.';
      }
      if (facts.budget === 'memory') {
        return 'Raise `budgets.memoryMiB` (`--memory-mib`, at most 10240), deliver it by `s3-copy`, or convert with `--precision fp16-weights`.';
      }
      return facts.delivery === 'layer'
        ? 'Deliver it by `s3-copy` or `lazy`, or convert with `--precision fp16-weights`.'
        : 'Remove files that the function does not need from its package and layers.';
    },
  }),
  'budget-unknown': defineMessage<{
    variantId: string;
    engine: string;
    platform: string;
    missing: string;
    remedy: string | null;
  }>({
    exit: 3,
    what: (facts) =>
      `${facts.variantId} cannot be held against the limit of a package: how large ${facts.engine} for ${facts.platform} is cannot be seen here. ${facts.missing}`,
    remedy: (facts) =>
      facts.remedy ??
      `Run \`optimise-model check\` on ${facts.platform}, with ${facts.engine} installed there.`,
  }),
  'zip-beyond-direct-upload': defineMessage<{
    variantId: string;
    delivery: string;
    estimatedBytes: number;
    limitBytes: number;
  }>({
    exit: 1,
    what: (facts) =>
      `${facts.variantId} by ${facts.delivery}: the zip is estimated at ${mebibytes(facts.estimatedBytes)}, and a ` +
      `direct upload must be smaller than ${mebibytes(facts.limitBytes)}.`,
    remedy: () =>
      'Upload the zip through S3 (`aws lambda publish-layer-version --content S3Bucket=…,S3Key=…`).',
  }),
  'memory-needed': defineMessage<{
    variantId: string;
    delivery: string;
    neededBytes: number;
    artifactBytes: number;
    sessionBytes: number;
    limitBytes: number;
    isStated: boolean;
  }>({
    exit: 1,
    what: (facts) =>
      `${facts.variantId} by ${facts.delivery} holds about ${mebibytes(facts.neededBytes)} in memory while it opens ` +
      `(artifact ${mebibytes(facts.artifactBytes)} + session, estimated as its FP32 size, ${mebibytes(facts.sessionBytes)}), ` +
      `besides Node.js and the runtime; ${facts.isStated ? 'the function has' : 'a function can have at most'} ` +
      `${mebibytes(facts.limitBytes)}.`,
    remedy: (facts) =>
      facts.isStated
        ? 'Trust the peak that `optimise-model bench` measures over this estimate; give more with `budgets.memoryMiB`.'
        : 'State the memory of the function with `budgets.memoryMiB`; `optimise-model bench` measures the real peak.',
  }),
  'ephemeral-size-wrong': defineMessage<{ givenMiB: number; minimumMiB: number; maximumMiB: number }>({
    exit: 2,
    what: (facts) =>
      `Ephemeral storage of ${facts.givenMiB} MiB does not exist; it is a whole number from ${facts.minimumMiB} to ` +
      `${facts.maximumMiB} MiB.`,
    remedy: (facts) =>
      `Set \`budgets.ephemeralMiB\` (\`--ephemeral-mib\`) to ${facts.minimumMiB}..${facts.maximumMiB}.`,
  }),
  'memory-size-wrong': defineMessage<{ givenMiB: number; minimumMiB: number; maximumMiB: number }>({
    exit: 2,
    what: (facts) =>
      `Memory of ${facts.givenMiB} MiB does not exist; it is a whole number from ${facts.minimumMiB} to ` +
      `${facts.maximumMiB} MiB.`,
    remedy: (facts) =>
      `Set \`budgets.memoryMiB\` (\`--memory-mib\`) to ${facts.minimumMiB}..${facts.maximumMiB}.`,
  }),
  'folder-of-artifacts': defineMessage<{ path: string; artifacts: readonly string[] }>({
    exit: 1,
    what: (facts) =>
      `${facts.path} holds nothing but artifacts, of which one is shipped: each is checked on its own, not their sum (${facts.artifacts.join(', ')}).`,
    remedy: () => 'Name the artifact that you ship, if only that one is to be checked.',
  }),
  'path-not-found': defineMessage<{ path: string }>({
    exit: 2,
    what: (facts) => `Nothing to measure at ${facts.path}: it does not exist.`,
    remedy: () => 'Name an existing artifact folder, folder or file: `optimise-model check PATH...`.',
  }),
  'path-not-measurable': defineMessage<{ path: string; reason: string }>({
    exit: 2,
    what: (facts) => `${facts.path} cannot be measured: ${facts.reason}.`,
    remedy: () =>
      'Replace it with a regular file or folder inside the folder that is checked, then run `optimise-model check` again.',
  }),
  'archive-not-measured': defineMessage<{ path: string }>({
    exit: 2,
    what: (facts) => `${facts.path} is a zip archive; its unzipped size is what counts.`,
    remedy: (facts) => `Unzip it and check the folder: \`unzip -d FOLDER ${facts.path}\`.`,
  }),
  'memory-not-stated': defineMessage<{ variantId: string }>({
    exit: 1,
    what: (facts) =>
      `${facts.variantId} fits by \`lazy\` at most, and whether it does depends on the memory of the function, which is not stated.`,
    remedy: () =>
      'State the memory with `--memory-mib`, or accept `lazy` as it is with `--require lazy`; else make the artifact fit by another delivery.',
  }),
  'required-unknown': defineMessage<{ name: string; known: readonly string[] }>({
    exit: 2,
    what: (facts) => `\`--require ${facts.name}\` names nothing that was checked.`,
    remedy: (facts) =>
      `Name a variant, a path, a delivery or VARIANT:DELIVERY; known here: ${facts.known.join(', ')}.`,
  }),
  'required-ambiguous': defineMessage<{ name: string; meanings: readonly string[] }>({
    exit: 2,
    what: (facts) => `\`--require ${facts.name}\` can mean ${facts.meanings.join(' or ')}.`,
    remedy: () => 'Name one of them by its path: `--require PATH` or `--require PATH:DELIVERY`.',
  }),
};
