import { defineMessage } from './message.js';

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
      if (seen === 'nothing')
        return `${folder} does not exist; an artifact is a folder with an artifact.json.`;
      if (seen === 'a file') return `${folder} is a file; an artifact is a folder with an artifact.json.`;
      return `${folder} is not an intact artifact: ${problems.join('; ')}.`;
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
  'store-read-only': defineMessage<{ url: string }>({
    exit: 2,
    what: (facts) => `${facts.url} can only be read.`,
    remedy: () => 'Stage and publish to `s3://BUCKET/PREFIX` or to a folder (`--to STORE`).',
  }),
  'store-locked': defineMessage<{ lockPath: string; pid: number; waitedSeconds: number }>({
    exit: 3,
    what: (facts) =>
      `Process ${facts.pid} is writing there, and did not let go of ${facts.lockPath} within ${facts.waitedSeconds} s.`,
    remedy: (facts) => `Run again when process ${facts.pid} is done; end it if it hangs.`,
  }),
  'object-missing': defineMessage<{ url: string }>({
    exit: 2,
    what: (facts) => `There is nothing at ${facts.url}.`,
    remedy: () => 'Check the address; what has been staged is listed in the `files` of its artifact.json.',
  }),
  'not-a-file': defineMessage<{ path: string; seen: string }>({
    exit: 2,
    what: (facts) => `${facts.path} is ${facts.seen}, not a file.`,
    remedy: () =>
      'Give the path of a file, such as …/current.json, …/releases/RELEASE.json or …/artifact.json.',
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
  'write-conflict': defineMessage<{ url: string }>({
    exit: 3,
    what: (facts) => `${facts.url} was written by someone else in the meantime; it was left as it is.`,
    remedy: () => 'Look at what is there now, then run again.',
  }),
  'download-corrupt': defineMessage<{
    url: string;
    problem: string;
    expected: string | number;
    seen: string | number;
  }>({
    exit: 3,
    what: (facts) =>
      `${facts.url} is not what its record says: ${facts.problem}, expected ${facts.expected}, got ${facts.seen}.`,
    remedy: () =>
      'Stage the artifact again (`optimise-model stage ARTIFACT --to STORE --name NAME`); if S3 still has the damaged object then, remove it first. If the record itself is old, publish a new release.',
  }),
  'object-changed': defineMessage<{ url: string; expected: string; seen: string }>({
    exit: 3,
    what: (facts) =>
      `${facts.url} was overwritten while it was read: it began with ETag ${facts.expected}, now it has ${facts.seen}.`,
    remedy: () =>
      'Run the same command again. Objects of a staged artifact never change: find out what writes there.',
  }),
  'source-changed': defineMessage<{
    path: string;
    expectedBytes: number;
    seenBytes: number;
    nowBytes: number;
    problem: string;
  }>({
    exit: 3,
    what: (facts) =>
      `${facts.path} changed while it was being sent (${facts.problem}): expected ${facts.expectedBytes} bytes, read ${facts.seenBytes}, it now has ${facts.nowBytes}; nothing of it was left in the store.`,
    remedy: () =>
      'Let nothing write to the artifact, make it again with `optimise-model convert MODEL --out FOLDER` if it is damaged, then stage again.',
  }),
  'stored-differs': defineMessage<{
    url: string;
    problem: string;
    expected: string;
    seen: string;
    /** What became of it, a clause. */
    fate: string;
  }>({
    exit: 3,
    what: (facts) =>
      `${facts.url} was stored differently from what was sent: ${facts.problem}, expected ${facts.expected}, the store has ${facts.seen}; ${facts.fate}.`,
    remedy: () => 'Stage again; if it persists, the store or something between damages data.',
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

/** What can go wrong when what is staged is read, or a little document is written: all that a handler can meet of a store. */
export const readMessages = {
  ...documentMessages,
  ...transferMessages,
  'no-document-there': defineMessage<{ url: string }>({
    exit: 2,
    what: (facts) => `${facts.url} is no document of a staged model, and holds none.`,
    remedy: () => 'Name …/current.json, …/releases/RELEASE.json or …/artifact.json.',
  }),
};
