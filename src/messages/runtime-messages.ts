import { defineMessage } from './message.js';

/** One way in which a set of feeds does not fit a model. */
export type FeedProblem = { readonly input: string; readonly problem: string };

function listProblems(problems: readonly FeedProblem[]): string {
  return problems.map((each) => `\`${each.input}\` ${each.problem}`).join('; ');
}

const giveTensors =
  'Give every input that `await model.inputs()` lists as a tensor, such as `model.run({ NAME: { type: "float32", dims: [1, 3], data: new Float32Array(3) } })`.';

/** What can go wrong between this tool and the engine that runs a model; remedies for code, which the command has others for. */
export const runtimeMessages = {
  'runtime-missing': defineMessage<{ engine: string; packageName: string; platform: string; reason: string }>(
    {
      exit: 3,
      what: (facts) =>
        `The engine ${facts.engine} could not be loaded on ${facts.platform}: ${facts.reason}.`,
      remedy: (facts) =>
        `Run \`${facts.packageName === 'openvino' ? 'python3 -m pip' : 'npm'} install ${facts.packageName}\` on this platform, then \`optimise-model doctor\` to see what is found.`,
    },
  ),
  'runtime-refused-model': defineMessage<{ engine: string; model: string; reason: string; advice?: string }>({
    exit: 2,
    what: (facts) => `${facts.engine} refused to open ${facts.model}: ${facts.reason}`,
    remedy: ({ advice }) =>
      advice ??
      'Run `optimise-model inspect MODEL` to see its opsets and operators, then export it for an opset the engine knows.',
  }),
  'runtime-run-failed': defineMessage<{ engine: string; model: string; reason: string }>({
    exit: 2,
    what: (facts) => `${facts.engine} opened ${facts.model} but failed to run it: ${facts.reason}`,
    remedy: () => giveTensors,
  }),
  'runtime-no-tensor-output': defineMessage<{ engine: string; model: string; outputs: readonly string[] }>({
    exit: 2,
    what: (facts) =>
      `${facts.model} has no output that is a tensor (${facts.outputs.join(', ') || 'no outputs at all'}), and ${facts.engine} can return nothing else.`,
    remedy: () => 'Export the model with at least one tensor output, then run again.',
  }),
  'feed-wrong': defineMessage<{ model: string; problems: readonly FeedProblem[] }>({
    exit: 2,
    what: (facts) => `The inputs given do not fit ${facts.model}: ${listProblems(facts.problems)}.`,
    remedy: () => giveTensors,
  }),
};
