import { defineMessage } from './message.js';

const documents = '…/current.json, …/releases/RELEASE.json or …/artifact.json.';
const retryLater = 'Run the same command again; if it persists, check the network and the server.';

function countTries(attempts: number): string {
  return attempts === 1 ? '1 try' : `${attempts} tries`;
}

/** What can go wrong with documents and files that lie in a store. */
const documentMessages = {
  'artifact-wrong': defineMessage<{
    folder: string;
    problems: readonly string[];
    /** What is where the folder should be, if not a folder with a record. */
    seen?: 'nothing' | 'a file' | 'a folder';
  }>({
    exit: 2,
    what: ({ folder, problems, seen }) => {
      if (seen !== 'nothing' && seen !== 'a file') {
        return `${folder} is not an intact artifact: ${problems.join('; ')}.`;
      }
      const found = seen === 'nothing' ? 'does not exist' : 'is a file';
      return `${folder} ${found}; an artifact is a folder with an artifact.json.`;
    },
    remedy: ({ seen }) =>
      seen === 'nothing' || seen === 'a file'
        ? 'Give the folder that `optimise-model convert MODEL --out FOLDER` wrote or `fetch` filled.'
        : 'Make it again with `optimise-model convert MODEL --out FOLDER`, or fetch it again.',
  }),
  'record-wrong': defineMessage<{ where: string; problem: string }>({
    exit: 2,
    what: (facts) => `${facts.where} is not a document this version reads: ${facts.problem}.`,
    remedy: () => 'Give the address of an artifact.json, releases/RELEASE.json or current.json of this tool.',
  }),
  'variant-missing': defineMessage<{ where: string; variant: string; present: readonly string[] }>({
    exit: 2,
    what: (facts) =>
      `${facts.where} has no variant ${facts.variant}; it has ${facts.present.join(', ') || 'none'}.`,
    remedy: () => 'Give `variant` the id of one of these, or leave it out for the published one.',
  }),
  'name-wrong': defineMessage<{ name: string }>({
    exit: 2,
    what: (facts) => `"${facts.name}" cannot be a name in a store.`,
    remedy: () => 'Use letters, digits, `.`, `_` and `-`, beginning with a letter or digit (`--name NAME`).',
  }),
};

/** What can go wrong between this machine and any kind of store. */
const transferMessages = {
  'store-url-wrong': defineMessage<{ url: string; problem: string }>({
    exit: 2,
    what: (facts) => `${facts.url} is not an address of a store: ${facts.problem}.`,
    remedy: () =>
      'Give `s3://BUCKET/PREFIX`, a folder or file:// address, or, for reading, an http(s):// address.',
  }),
  'object-missing': defineMessage<{
    url: string;
    /** Whether it is a model file that no record names. */
    isBare?: boolean;
  }>({
    exit: 2,
    what: (facts) => `There is nothing at ${facts.url}.`,
    remedy: ({ url, isBare = false }) => {
      if (isBare) return 'Check the address; on a model hub also the revision (hf:ORG/NAME@REVISION/FILE).';
      if (/(^|\/)releases\/[^/]+\.json$/.test(url))
        return 'Give a release that `optimise-model releases list STORE --name NAME` shows, or the address of current.json.';
      return 'Check the address; what has been staged is listed in the `files` of its artifact.json.';
    },
  }),
  'not-a-file': defineMessage<{ path: string; seen: string }>({
    exit: 2,
    what: (facts) => `${facts.path} is ${facts.seen}, not a file.`,
    remedy: () => `Give the path of a file, such as ${documents}`,
  }),
  'memory-too-small': defineMessage<{ url: string; sizeBytes: number }>({
    exit: 3,
    what: (facts) =>
      `${facts.url} has ${facts.sizeBytes} bytes, more than this process can take into memory.`,
    remedy: () => 'Deliver it by `s3-copy` or `layer` instead of `lazy`, or give the function more memory.',
  }),
  'document-too-large': defineMessage<{ url: string; sizeBytes: number; limitBytes: number }>({
    exit: 2,
    what: (facts) => `${facts.url} has ${facts.sizeBytes} bytes; a document has at most ${facts.limitBytes}.`,
    remedy: () => 'Give the address of a JSON document, not of a model file.',
  }),
  'key-wrong': defineMessage<{ key: string; problem: string }>({
    exit: 2,
    what: (facts) => `"${facts.key}" cannot be a key of a store: ${facts.problem}.`,
    remedy: () => 'Use relative paths with `/` between plain names.',
  }),
  'download-corrupt': defineMessage<{
    url: string;
    problem: string;
    expected: string | number;
    seen: string | number;
    /** Who says what a file must be that no record names: the option `sha256` or its server. */
    saidBy?: 'the option `sha256`' | 'its server';
  }>({
    exit: 3,
    what: ({ url, problem, expected, seen, saidBy = 'its record' }) =>
      `${url} is not what ${saidBy} says: ${problem}, expected ${expected}, got ${seen}.`,
    remedy: ({ saidBy }) => {
      if (saidBy === 'the option `sha256`')
        return 'Is `sha256` right? Run `sha256sum FILE` on a copy that you trust; if it says the same, do not use what the server sends.';
      if (saidBy === 'its server')
        return 'Open it again; if it persists, name a commit (hf:ORG/NAME@REVISION/FILE) or give `sha256`.';
      return 'Stage the artifact again (`optimise-model stage ARTIFACT --to STORE --name NAME`), without the damaged object that S3 may keep; if its record is old, publish a new release.';
    },
  }),
  'object-changed': defineMessage<{ url: string; expected: string; seen: string }>({
    exit: 3,
    what: (facts) =>
      `${facts.url} was overwritten while it was read: it began with ETag ${facts.expected}, now it has ${facts.seen}.`,
    remedy: () => 'Run the same command again. Staged objects never change: find out what writes there.',
  }),
  'http-unreachable': defineMessage<{ url: string; reason: string; attempts: number }>({
    exit: 3,
    what: (facts) => `No answer from ${facts.url} after ${countTries(facts.attempts)}: ${facts.reason}.`,
    remedy: () => retryLater,
  }),
  'http-failed': defineMessage<{ url: string; status: number; attempts: number }>({
    exit: 3,
    what: (facts) => `${facts.url} answered with HTTP ${facts.status} (${countTries(facts.attempts)}).`,
    remedy: (facts) =>
      facts.status === 401 || facts.status === 403
        ? 'Make the address readable without a login, or fetch through `s3://` with your AWS credentials.'
        : retryLater,
  }),
  'range-refused': defineMessage<{ url: string; status: number; contentRange: string }>({
    exit: 3,
    what: (facts) =>
      `${facts.url} did not answer the range that was asked for (HTTP ${facts.status}, Content-Range: ${facts.contentRange || 'none'}).`,
    remedy: () => 'Serve the files from a server that supports HTTP range requests.',
  }),
};

/** What can go wrong when what is staged is read: all that a handler can meet of a store. */
export const readMessages = {
  ...documentMessages,
  ...transferMessages,
  'file-system-refused': defineMessage<{ path: string; operation: string; reason: string }>({
    exit: 3,
    what: (facts) => `Could not ${facts.operation} ${facts.path}: ${facts.reason}.`,
    remedy: () => 'Check that the path exists, you may use it and the disk has room, then run again.',
  }),
  'no-document-there': defineMessage<{ url: string }>({
    exit: 2,
    what: (facts) => `${facts.url} is no document of a staged model, and holds none.`,
    remedy: () => `Name ${documents}`,
  }),
};
