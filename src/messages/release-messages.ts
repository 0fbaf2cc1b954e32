import { defineMessage } from './message.js';
import type { S3Facts } from './s3-messages.js';

function look(storeUrl: string, name: string): string {
  return `\`optimise-model releases list ${storeUrl} --name ${name}\``;
}

function isAt({ bucket, key, endpoint }: S3Facts): string {
  return `${endpoint} for s3://${bucket}/${key}`;
}

/** The setting is said with what it gives up, so that nobody sets it by habit. */
const goWithout =
  'Use a server with conditional writes; or, when nobody else publishes this model at the same time, say so with `--unconditional` (`publish: { unconditional: true }` in the pipeline, OPTIMISE_MODEL_UNCONDITIONAL=true).';

/** Servers whose writes cannot be made to depend on what is there. */
const conditionMessages = {
  's3-conditions-refused': defineMessage<S3Facts>({
    exit: 3,
    what: (facts) =>
      `The server has no conditional writes: ${isAt(facts)} answered HTTP ${facts.status} ${facts.awsCode} to If-None-Match or If-Match (${facts.reason}); current.json was left as it is.`,
    remedy: () => `${goWithout} If plain writes are refused as well, see AWS_REQUEST_CHECKSUM_CALCULATION.`,
  }),
  's3-conditions-ignored': defineMessage<S3Facts>({
    exit: 3,
    what: (facts) =>
      `The server takes conditional writes and does not heed the condition: ${isAt(facts)}: ${facts.reason}; current.json was left as it is.`,
    remedy: () => goWithout,
  }),
  'writes-unconditional': defineMessage<{ url: string }>({
    exit: 0,
    what: (facts) =>
      `${facts.url} was written without a condition and read back: two who publish at the same time can overwrite each other.`,
    remedy: () =>
      'Let only one pipeline publish this model at a time, or use a server with conditional writes and leave out `--unconditional`.',
  }),
};

type Place = { readonly storeUrl: string; readonly name: string };

/** What moving `current.json` has to say. */
const moveMessages = {
  'publish-not-staged': defineMessage<Place & { problems: readonly string[] }>({
    exit: 2,
    what: (facts) =>
      `What ${facts.name} would publish is not in ${facts.storeUrl}: ${facts.problems.join('; ')}.`,
    remedy: (facts) =>
      `Stage it first: \`optimise-model run PIPELINE --redo stage\`, or \`optimise-model stage ARTIFACT --to ${facts.storeUrl} --name ${facts.name}\`.`,
  }),
  'current-moved': defineMessage<{ currentUrl: string; current: string; release: string }>({
    exit: 0,
    what: (facts) =>
      `${facts.currentUrl} names release ${facts.current}; this run had published ${facts.release}. It was left as it is.`,
    remedy: () =>
      'If handlers are to open what this run chose, publish it again: `optimise-model publish RUN`, or `optimise-model run PIPELINE --redo publish`.',
  }),
  'current-foreign': defineMessage<Place & { url: string; problem: string }>({
    exit: 2,
    what: (facts) =>
      `${facts.url} is not of ${facts.name}, or of another version of this program: ${facts.problem}. It was left as it is.`,
    remedy: (facts) =>
      `If a newer version wrote it, update this one. If nothing needs it, remove ${facts.url} and do this again.`,
  }),
  'current-replaced': defineMessage<Place & { url: string; problem: string }>({
    exit: 0,
    what: (facts) =>
      `${facts.url} was damaged (${facts.problem}) and has been replaced: what was current before is not known, previousReleases starts anew.`,
    remedy: (facts) =>
      `Nothing has to be done. Instead of rolling back over this move, name a release: \`optimise-model releases promote ${facts.storeUrl} RELEASE --name ${facts.name}\`.`,
  }),
  'rollback-undone': defineMessage<Place & { url: string; was: string; newer: string }>({
    exit: 0,
    what: (facts) =>
      `${facts.url} named ${facts.was}, an older release than ${facts.newer}: if it had been rolled back or promoted to that one, this has been undone.`,
    remedy: (facts) =>
      `To take it back: \`optimise-model releases rollback ${facts.storeUrl} --name ${facts.name}\`.`,
  }),
  'publish-conflict': defineMessage<Place & { release: string; url: string; current: string | null }>({
    exit: 3,
    what: (facts) =>
      `Someone else published ${facts.name} at the same time: ${facts.url} is not of release ${facts.release} and was left as it is; current is ${facts.current ?? 'not known'}.`,
    remedy: (facts) =>
      `Look at what is current (${look(facts.storeUrl, facts.name)}). If it should be yours, publish again: \`optimise-model publish RUN\`.`,
  }),
  'publish-unknown': defineMessage<
    Place & { release: string; releaseUrl: string; currentUrl: string; reason: string; refusal: string }
  >({
    exit: 3,
    what: (facts) =>
      `It is not known whether ${facts.currentUrl} names release ${facts.release} now: writing it was not answered (${facts.reason}), and it could not be read back (${facts.refusal}). ${facts.releaseUrl} was left, in case it does.`,
    remedy: (facts) =>
      `Look when the store answers again: ${look(facts.storeUrl, facts.name)}. If the release is not current, publish again.`,
  }),
  'publish-left': defineMessage<{
    releaseUrl: string;
    refusal: string;
    first: { code: string; what: string };
  }>({
    exit: 3,
    what: (facts) =>
      `${facts.first.what} The release document that had been written could not be removed (${facts.releaseUrl}: ${facts.refusal}); current.json does not name it.`,
    remedy: () =>
      'Give the identity s3:DeleteObject and s3:GetObject, and remove it, or leave it to `optimise-model releases prune STORE --keep N --apply`.',
  }),
};

/** What `releases` has to say. */
const releaseMessages = {
  'name-not-there': defineMessage<{ storeUrl: string; name: string | null; currentUrl: string }>({
    exit: 2,
    what: ({ storeUrl, name, currentUrl }) =>
      `${name === null ? `${storeUrl} does not exist` : `${storeUrl} has nothing of the name "${name}"`}; current.json is looked for at ${currentUrl}.`,
    remedy: ({ storeUrl, name }) =>
      name === null
        ? 'Give the store that was staged to (`--to`, or `to` in the pipeline): the folder above the models, without a name.'
        : `Give a name that \`optimise-model releases list ${storeUrl}\` shows (\`--name NAME\`), or another store.`,
  }),
  'release-missing': defineMessage<Place & { release: string; present: readonly string[] }>({
    exit: 2,
    what: (facts) =>
      `${facts.storeUrl} has no release ${facts.release} of ${facts.name}; it has ${facts.present.slice(0, 5).join(', ') || 'none'}${facts.present.length > 5 ? `, and ${facts.present.length - 5} more` : ''}.`,
    remedy: (facts) => `Name one of those that ${look(facts.storeUrl, facts.name)} lists.`,
  }),
  'rollback-impossible': defineMessage<Place & { current: string | null; problem: string }>({
    exit: 2,
    what: (facts) =>
      `${facts.name} in ${facts.storeUrl} cannot be rolled back: ${facts.problem} (current: ${facts.current ?? 'none'}).`,
    remedy: (facts) =>
      `Look at what there is (${look(facts.storeUrl, facts.name)}) and move to one by \`optimise-model releases promote ${facts.storeUrl} RELEASE --name ${facts.name}\`.`,
  }),
  'release-damaged': defineMessage<{ url: string; problem: string }>({
    exit: 0,
    what: (facts) => `${facts.url} cannot be used: ${facts.problem}.`,
    remedy: (facts) =>
      facts.url.endsWith('/current.json')
        ? 'Replace it: `optimise-model releases promote STORE RELEASE --name NAME`, or `optimise-model publish RUN`.'
        : 'Restore it, or remove it when no handler opens it; `optimise-model releases promote STORE RELEASE --name NAME` makes another one current.',
  }),
  'prune-refused': defineMessage<Place & { problems: readonly string[] }>({
    exit: 4,
    what: (facts) =>
      `Nothing of ${facts.name} in ${facts.storeUrl} was removed: what is still needed cannot be known (${facts.problems.join('; ')}).`,
    remedy: ({ storeUrl, name, problems }) => {
      const isCurrent = problems.some((problem) => problem.includes('/current.json: '));
      const first = isCurrent
        ? `Replace current.json first (\`optimise-model releases promote ${storeUrl} RELEASE --name ${name}\`, or \`optimise-model publish RUN\`), and restore or remove damaged release documents`
        : 'Restore or remove what is damaged';
      return `${first}; then run \`optimise-model releases prune\` again.`;
    },
  }),
  'prune-put-back': defineMessage<{ url: string; reason: string }>({
    exit: 0,
    what: (facts) => `${facts.url} was put back while pruning: ${facts.reason}.`,
    remedy: () => 'Nothing has to be done; what is in use was kept.',
  }),
  'prune-staged-again': defineMessage<{ url: string }>({
    exit: 0,
    what: (facts) =>
      `${facts.url} was staged again in the moment in which its files were removed; it is gone.`,
    remedy: (facts) => {
      const [, storeUrl = 'STORE', name = 'NAME'] = /^(.*)\/([^/]+)\/objects\//.exec(facts.url) ?? [];
      return `Stage it once more: \`optimise-model stage ARTIFACT --to ${storeUrl} --name ${name}\`.`;
    },
  }),
  'prune-left': defineMessage<{ url: string; left: readonly string[] }>({
    exit: 0,
    what: (facts) =>
      `${facts.url} was pruned, but not all of it could be removed: ${facts.left.slice(0, 3).join('; ')}${facts.left.length > 3 ? `; and ${facts.left.length - 3} more` : ''}. Its artifact.json is gone, so nothing opens what is left.`,
    remedy: () =>
      'Give the identity s3:DeleteObject, then run `optimise-model releases prune STORE --apply` again.',
  }),
  'prune-not-restored': defineMessage<{
    url: string;
    refusal: string;
    first: { code: string; what: string };
  }>({
    exit: 3,
    what: (facts) =>
      `${facts.first.what} ${facts.url} had just been removed and could not be written back (${facts.refusal}); the files it names are there.`,
    remedy: () =>
      'If a release needs it, stage the artifact again (`optimise-model stage ARTIFACT --to STORE --name NAME`); else run `optimise-model releases prune` again.',
  }),
};

/** Messages of releases in a store. */
export const storedReleaseMessages = { ...conditionMessages, ...moveMessages, ...releaseMessages };
