import { loaderMessages } from './loader-messages.js';
import { readMessages } from './read-messages.js';
import { runtimeMessages } from './runtime-messages.js';
import { s3Messages } from './s3-messages.js';

/** All that can be said in the process of a handler: the words of the other verbs would only make its bundle larger. */
export const openingMessages = {
  ...runtimeMessages,
  ...readMessages,
  ...s3Messages,
  ...loaderMessages,
};
