import { defineMessage } from './message.js';
import { runtimeMessages } from './runtime-messages.js';

/** What can be wrong with what is fed, where it is flags and pipelines that say so: a handler needs none of it. */
export const feedMessages = {
  'feed-wrong': defineMessage({
    ...runtimeMessages['feed-wrong'],
    remedy: () =>
      'Give every input with the name, type and shape that `optimise-model inspect MODEL` lists: `--input NAME=SHAPE`, or `inputs:` in the pipeline.',
  }),
  'runtime-run-failed': defineMessage({
    ...runtimeMessages['runtime-run-failed'],
    remedy: () =>
      'Give inputs that the model can work with: `--input NAME=SHAPE`, or `inputs:` in the pipeline (shape, fill, min, max, file).',
  }),
};
