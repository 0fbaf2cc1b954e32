import { defineMessage } from './message.js';
import { readMessages } from './read-messages.js';
import { storedReleaseMessages } from './release-messages.js';
import { s3Messages } from './s3-messages.js';
import { uploadMessages } from './upload-messages.js';

/** What stage and fetch have to say. */
const verbMessages = {
  'staged-gone': defineMessage<{ storeUrl: string; keys: readonly string[] }>({
    exit: 3,
    what: (facts) =>
      `Of what was just staged in ${facts.storeUrl}, someone has removed ${facts.keys.join(', ')} at the same time.`,
    remedy: () => 'Stage again when nothing is being pruned there.',
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
  ...verbMessages,
  ...storedReleaseMessages,
  ...s3Messages,
  ...uploadMessages,
};
