import { defineMessage } from './message.js';
import { readMessages } from './read-messages.js';
import { storedReleaseMessages } from './release-messages.js';
import { s3Messages } from './s3-messages.js';
import { uploadMessages } from './upload-messages.js';

/** What can go wrong when something is written to a store. */
const writeMessages = {
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
  'write-conflict': defineMessage<{ url: string }>({
    exit: 3,
    what: (facts) => `${facts.url} was written by someone else in the meantime; it was left as it is.`,
    remedy: () => 'Look at what is there now, then run again.',
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
};

/** What stage and fetch have to say. */
const verbMessages = {
  'staged-gone': defineMessage<{ storeUrl: string; keys: readonly string[] }>({
    exit: 3,
    what: (facts) =>
      `Of what was just staged in ${facts.storeUrl}, someone has removed ${facts.keys.join(', ')} at the same time.`,
    remedy: () => 'Stage again when nothing is being pruned there.',
  }),
  'artifact-folder-needed': defineMessage<{
    path: string;
    /** Null where no record beside it names it. */
    folder: string | null;
  }>({
    exit: 2,
    what: ({ path, folder }) =>
      folder === null
        ? `${path} is a file of OpenVINO’s, and no artifact.json beside it says what it is part of.`
        : `${path} is one file of the artifact ${folder}, which is for OpenVINO.`,
    remedy: ({ folder }) =>
      folder === null
        ? 'Give the folder that `optimise-model convert MODEL --engine openvino --out FOLDER` wrote.'
        : `Give the artifact’s folder, ${folder}.`,
  }),
  'fetch-target-differs': defineMessage<{ folder: string; problem: string }>({
    exit: 2,
    what: (facts) => `${facts.folder} already holds something else: ${facts.problem}. It was not touched.`,
    remedy: () => 'Fetch into a folder that does not exist yet (`--to FOLDER`), or remove this one.',
  }),
};

/** Messages of the store area. */
export const storeMessages = {
  ...readMessages,
  ...writeMessages,
  ...verbMessages,
  ...storedReleaseMessages,
  ...s3Messages,
  ...uploadMessages,
};
