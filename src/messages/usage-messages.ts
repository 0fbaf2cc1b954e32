import { defineMessage } from './message.js';

/** What can be wrong about how the tool was called, or about the tool itself. */
export const usageMessages = {
  'usage-wrong': defineMessage<{ problem: string; command: string }>({
    exit: 2,
    what: (facts) => facts.problem,
    remedy: (facts) => `Run \`${facts.command} --help\` for what it takes.`,
  }),
  'keep-rule-wrong': defineMessage<{ rule: string }>({
    exit: 2,
    what: (facts) => `\`${facts.rule}\` names nothing that could stay FP32.`,
    remedy: () => 'Write op:TYPE, node:NAME or output:NAME in `convert.keepFp32`.',
  }),
  interrupted: defineMessage<{ by: string }>({
    exit: 130,
    what: (facts) => `Stopped by ${facts.by}; what was half done has been removed.`,
    remedy: () => 'Run the same command again: finished steps are reused.',
  }),
  'internal-error': defineMessage<{ problem: string }>({
    exit: 70,
    what: (facts) => `This is a bug in optimise-model: ${facts.problem}`,
    remedy: () => 'Report it with the command line and the stack trace that `--verbose` prints.',
  }),
};
