import { defineMessage } from './message.js';

/** An input whose shape has to be given before it can be made. */
export type ShapelessInput = {
  readonly name: string;
  /** As the model declares it; symbolic axes are names. */
  readonly dims: readonly (number | string)[];
  /** What to put in for `--input`, with a size for each symbolic axis. */
  readonly example: string;
};

/** Something that is wrong about what was asked for one input. */
export type InputProblem = { readonly input: string; readonly problem: string };

function showDims(dims: readonly (number | string)[]): string {
  return `[${dims.join(', ')}]`;
}

/** What can be wrong about the inputs that models are fed with. */
export const inputMessages = {
  'input-shape-needed': defineMessage<{ inputs: readonly ShapelessInput[] }>({
    exit: 2,
    what: (facts) =>
      `No size is given for symbolic axes: ${facts.inputs
        .map((input) => `\`${input.name}\` ${showDims(input.dims)}`)
        .join('; ')}.`,
    remedy: (facts) =>
      `Give each shape on the command line, such as ${facts.inputs
        .map((input) => `\`--input ${input.name}=${input.example}\``)
        .join(' ')}, or as \`shape\` under \`inputs:\` in the pipeline, with sizes the model can work with.`,
  }),
  'input-unknown': defineMessage<{
    unknown: readonly { readonly name: string; readonly didYouMean: string | null }[];
    known: readonly string[];
  }>({
    exit: 2,
    what: (facts) =>
      `The model has no input ${facts.unknown
        .map(
          (each) =>
            `\`${each.name}\`${each.didYouMean === null ? '' : ` (did you mean \`${each.didYouMean}\`?)`}`,
        )
        .join(', ')}; it has ${facts.known.map((name) => `\`${name}\``).join(', ') || 'none'}.`,
    remedy: () =>
      'Use the names that `optimise-model inspect MODEL` lists, in `--input NAME=SHAPE` or under `inputs:` in the pipeline.',
  }),
  'input-wrong': defineMessage<{ problems: readonly InputProblem[] }>({
    exit: 2,
    what: (facts) =>
      `What is asked for does not fit the model: ${facts.problems
        .map((each) => `\`${each.input}\` ${each.problem}`)
        .join('; ')}.`,
    remedy: () =>
      'Correct `--input NAME=SHAPE`, or shape, fill, value, min, max and file under `inputs:` in the pipeline; `optimise-model inspect MODEL` lists types and shapes.',
  }),
  'input-file-wrong': defineMessage<{ path: string; problem: string }>({
    exit: 2,
    what: (facts) => `${facts.path} cannot be used as an input: ${facts.problem}.`,
    remedy: () =>
      'Give a dense array as .npy (NumPy `save`, C or Fortran order) or a tensor as .pb (ONNX TensorProto) as `file` under `inputs:` in the pipeline.',
  }),
  'input-batch-assumed': defineMessage<{ input: string; axis: string; shape: readonly number[] }>({
    exit: 2,
    what: (facts) =>
      `\`${facts.input}\` has the symbolic first axis \`${facts.axis}\`; 1 is used for it, the shape is ${facts.shape.join('x')}.`,
    remedy: (facts) =>
      `Give \`--input ${facts.input}=${facts.shape.join('x')}\`, or \`shape\` under \`inputs:\` in the pipeline, if another batch size matters.`,
  }),
  'input-integers-assumed': defineMessage<{ input: string; type: string }>({
    exit: 2,
    what: (facts) =>
      `\`${facts.input}\` holds ${facts.type} and nothing is asked for it; it is fed 0 and 1, evenly and at random.`,
    remedy: (facts) =>
      `Give \`--input ${facts.input}=min=0,max=N\`, or fill, min, max or \`file\` under \`inputs:\` in the pipeline, if the model takes other numbers.`,
  }),
};
