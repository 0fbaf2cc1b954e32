import { defineMessage } from './message.js';

const exact = (sizeBytes: number) => sizeBytes.toLocaleString('en-US');
const mebibytes = (sizeBytes: number) => (sizeBytes / 1024 ** 2).toFixed(1);

const convertAndStage =
  '`optimise-model convert MODEL --out ARTIFACT`, then `optimise-model stage ARTIFACT --to STORE --name NAME`';
const orRollBack =
  'open another `variant`, or roll back: `optimise-model releases rollback STORE --name NAME`.';

/** What can keep the loader from opening a model. */
export const loaderMessages = {
  'ephemeral-storage-full': defineMessage<{
    folder: string;
    neededBytes: number;
    availableBytes: number;
    /** Whether it is the form that `stream` writes. */
    isExpanded: boolean;
  }>({
    exit: 3,
    what: (facts) =>
      `The artifact${facts.isExpanded ? ', expanded to FP32 by delivery `stream`,' : ''} takes ${exact(facts.neededBytes)} bytes (${mebibytes(facts.neededBytes)} MiB) of ephemeral storage, but ${facts.folder} has ${exact(facts.availableBytes)} left.`,
    remedy: () =>
      'Raise the ephemeral storage (Lambda: `--ephemeral-storage Size=MiB`, 512 to 10,240), free the folder, or name a larger one with `ephemeralDir`.',
  }),
  'ephemeral-folder-unusable': defineMessage<{ folder: string; reason: string }>({
    exit: 3,
    what: (facts) =>
      `${facts.folder} (\`ephemeralDir\`) can hold no download: ${facts.reason}; expected a folder to write to.`,
    remedy: () =>
      'Make the folder, or name another with `ephemeralDir`; on Lambda only `/tmp`, the default, can be written to.',
  }),
  'delivery-unknown': defineMessage<{ delivery: string; known: readonly string[] }>({
    exit: 2,
    what: (facts) => `There is no delivery \`${facts.delivery}\`; known are ${facts.known.join(', ')}.`,
    remedy: () => 'Give `delivery` one of these.',
  }),
  'open-option-wrong': defineMessage<{ option: string; seen: string; expected: string }>({
    exit: 2,
    what: (facts) =>
      `The option \`${facts.option}\` of openModel is ${facts.seen}; expected ${facts.expected}.`,
    remedy: (facts) => `Give \`${facts.option}\` ${facts.expected}, or leave it out.`,
  }),
  'open-option-unknown': defineMessage<{ unknown: readonly string[]; known: readonly string[] }>({
    exit: 2,
    what: ({ unknown, known }) =>
      `openModel has no option ${unknown.map((name) => `\`${name}\``).join(', ')}; it has ${known.join(', ')}.`,
    remedy: () => 'Correct the name, or leave it out.',
  }),
  'model-source-wrong': defineMessage<{ source: string; seen: string }>({
    exit: 2,
    what: (facts) =>
      `${facts.source} is no source of a model: ${facts.seen}; expected the address of a current.json, releases/RELEASE.json or artifact.json, or of the folder or prefix of one.`,
    remedy: () =>
      'Give the address that `optimise-model publish` or `stage` printed, or the folder that `convert` wrote.',
  }),
  'requirement-not-met': defineMessage<{
    variant: string;
    engine: string;
    version: string | null;
    packageName: string;
    unmet: readonly { readonly need: string; readonly expected: string; readonly seen: string }[];
  }>({
    exit: 3,
    what: (facts) =>
      `${facts.variant} cannot run here${facts.version === null ? '' : ` (${facts.engine} ${facts.version})`}: ${facts.unmet.map(({ need, expected, seen }) => `${need}: needed ${expected}, there is ${seen}`).join('; ')}.`,
    remedy: ({ engine, unmet, packageName }) => {
      const needs = unmet.map(({ need, expected }) => `${need} ${expected}`).join(', ');
      const exact = /exactly ([\d.]+)/.exec(needs);
      const [by, release] =
        engine === 'openvino' ? ['python3 -m pip', exact ? `==${exact[1]}` : ''] : ['npm', '@latest'];
      // No other engine makes another processor.
      const isOfEngine = /version|opset/.test(needs);
      const install = isOfEngine ? ` (\`${by} install ${packageName}${release}\`)` : '';
      return `Deploy with ${needs}${install}, ${orRollBack}`;
    },
  }),
  'engine-not-bundled': defineMessage<{ engine: string }>({
    exit: 2,
    what: ({ engine }) => `The engine ${engine} is no part of this bundle.`,
    remedy: ({ engine }) =>
      `Import \`optimise-model/loader/${engine}\` in the handler, and bundle it with \`--external:koffi\`.`,
  }),
  'layer-folder-needed': defineMessage<{ source: string }>({
    exit: 2,
    what: (facts) =>
      `Delivery \`layer\` opens an artifact that is already on this machine, but ${facts.source} is not, and no folder was named.`,
    remedy: () =>
      "Give `layerDir` the artifact's folder on this machine (below /opt for a Lambda layer), or another `delivery`.",
  }),
  'layer-artifact-differs': defineMessage<{
    folder: string;
    foundDigest: string;
    foundVariant: string;
    wantedDigest: string;
    wantedVariant: string;
  }>({
    exit: 2,
    what: (facts) =>
      `The layer ${facts.folder} holds ${facts.foundVariant} (digest ${facts.foundDigest}), but ${facts.wantedVariant} (digest ${facts.wantedDigest}) is to be opened.`,
    remedy: () =>
      'Deploy the layer again with the published artifact, or pin the handler to the release of the layer.',
  }),
  'mount-source-not-local': defineMessage<{ source: string }>({
    exit: 2,
    what: (facts) =>
      `Delivery \`mount\` opens files through a mounted file system, but ${facts.source} is no path on this machine.`,
    remedy: () =>
      'Give openModel the path where it is mounted, such as /mnt/models/vit/current.json, or another `delivery`.',
  }),
  'url-hash-unknown': defineMessage<{ source: string }>({
    exit: 2,
    what: (facts) =>
      `Nobody says which SHA-256 ${facts.source} must have, so a damaged or exchanged file would pass.`,
    remedy: () => 'Give openModel the option `sha256`: run `sha256sum FILE` on a copy that you trust.',
  }),
  'hub-address-wrong': defineMessage<{ source: string }>({
    exit: 2,
    what: (facts) => `${facts.source} is no address on a model hub; expected hf:ORG/NAME/FILE.`,
    remedy: () => 'Give hf:ORG/NAME/FILE, or hf:ORG/NAME@REVISION/FILE with a branch, tag or commit.',
  }),
  'bare-file-refused': defineMessage<{ source: string; engine: string; reason: string }>({
    exit: 2,
    what: (facts) => `${facts.engine} refused to open the bare file ${facts.source}: ${facts.reason}`,
    remedy: () =>
      `If its weights are in other files, download all, run ${convertAndStage}, and open what was staged.`,
  }),
  'bare-file-delivery': defineMessage<{ source: string; delivery: string }>({
    exit: 2,
    what: (facts) =>
      `${facts.source} is a bare file, which delivery \`${facts.delivery}\` cannot bring: it needs an artifact.`,
    remedy: () =>
      `Give \`delivery\` \`url\` or \`lazy\`, or run ${convertAndStage}, and open what was staged.`,
  }),
  'release-not-there': defineMessage<{ source: string; release: string; by: string }>({
    exit: 2,
    what: (facts) =>
      `${facts.source} has no release ${facts.release}, or it may not be read; \`${facts.by}\` asks for it.`,
    remedy: (facts) =>
      `Set \`${facts.by}\` to a release that \`optimise-model releases list STORE --name NAME\` shows, or leave it out to open what is current.`,
  }),
  'release-contradicted': defineMessage<{ source: string; release: string; named: string }>({
    exit: 2,
    what: (facts) =>
      `The option \`release\` is ${facts.release}, but ${facts.source} itself names ${facts.named}.`,
    remedy: () => 'Give the address of current.json or of its folder, or leave `release` out.',
  }),
  'external-refused-from-memory': defineMessage<{ variant: string; engine: string; reason: string }>({
    exit: 2,
    what: (facts) =>
      `${facts.engine} refused to open ${facts.variant} from memory, with its external data beside it: ${facts.reason}`,
    remedy: () => 'Deliver it by `s3-copy` or `layer`, or convert it with `--layout single`.',
  }),
  'model-closed': defineMessage<{ source: string }>({
    exit: 2,
    what: (facts) => `The model ${facts.source} has been closed.`,
    remedy: () => 'Call openModel again, or close() only after the last request.',
  }),
};
