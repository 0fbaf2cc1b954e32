import { defineMessage } from './message.js';

type TypeDifference = {
  readonly name: string;
  readonly referenceType: string;
  readonly candidateType: string;
};

const showTypes = ({ name, referenceType, candidateType }: TypeDifference) =>
  `\`${name}\` is ${candidateType} instead of ${referenceType}`;
const showOverflow = (count: number) => (count === 0 ? '' : ` (${count} numbers fed became infinite)`);

/** What parity can say about two models. */
export const parityMessages = {
  'parity-bounds-wrong': defineMessage<{ problems: readonly string[] }>({
    exit: 2,
    what: (facts) => `The parity bounds are wrong: ${facts.problems.join('; ')}.`,
    remedy: () => 'Correct `--rtol`, `--atol`, `--cosine` and `--max-abs`, or `parity:` in the pipeline.',
  }),
  'parity-exceeded': defineMessage<{
    reference: string;
    candidate: string;
    /** What the candidate computed in. */
    inference: string;
    /** Whether the candidate is FP32 and made for OpenVINO: no precision could change less. */
    isOpenvinoFp32: boolean;
    reason: string;
  }>({
    exit: 1,
    what: (facts) =>
      `${facts.candidate} does not match ${facts.reference}${facts.inference === 'f32' ? '' : `, computed in ${facts.inference}`}: ${facts.reason}`,
    remedy: (facts) => {
      if (facts.isOpenvinoFp32 && facts.inference === 'f32')
        return 'OpenVINO computes something else with the same weights: use this model with onnxruntime, or give the bounds that you can accept: `--rtol`, `--atol`, or `parity:` in the pipeline.';
      return facts.inference !== 'f32'
        ? `Leave \`inference: ${facts.inference}\` out of the variant so that it computes in f32, or give the bounds that you can accept: \`parity:\` of the variant in the pipeline, \`--rtol\`, \`--atol\`.`
        : 'Convert with a precision that changes less (`--precision fp16-weights`, then `fp32`), or give the bounds that you can accept: `--rtol`, `--atol`, or `parity:` in the pipeline.';
    },
  }),
  'parity-reference-no-onnx': defineMessage<{ reference: string }>({
    exit: 2,
    what: (facts) =>
      `The reference ${facts.reference} is no ONNX model: what it is fed could not be made from it.`,
    remedy: () => 'Give the exported .onnx as REFERENCE of `optimise-model validate`.',
  }),
  'parity-inference-not-used': defineMessage<{ candidate: string; asked: string; used: string }>({
    exit: 4,
    what: (facts) =>
      `${facts.candidate} is to be computed in ${facts.asked}; OpenVINO computed it in ${facts.used} here, since this processor does not do ${facts.asked}. Its figures are those of ${facts.used}.`,
    remedy: (facts) =>
      `Validate on a processor that computes in ${facts.asked}, which \`optimise-model doctor\` shows, or leave \`inference: ${facts.asked}\` out of the variant.`,
  }),
  'parity-candidate-refused': defineMessage<{
    candidate: string;
    engine: string;
    code: string;
    problem: string;
    /** From outside, most likely for want of memory, or because it took too long: it says nothing for sure. */
    isKilled: boolean;
  }>({
    exit: 1,
    what: (facts) =>
      `The reference ran with these inputs, the candidate ${facts.candidate} did not: ${facts.problem}`,
    remedy: (facts) => {
      if (facts.code === 'feed-wrong')
        return 'Give a candidate whose inputs have the names, types and shapes of the reference, since both are fed the same tensors; only float32 may have become float16.';
      if (facts.engine === 'openvino' && !facts.isKilled)
        return 'Leave this variant out, or use it with onnxruntime: OpenVINO knows fewer operators; `optimise-model inspect MODEL` lists those of the model.';
      return facts.isKilled
        ? 'Give the machine more memory and time, or the model a smaller input (`--input NAME=SHAPE`), then validate again.'
        : 'Convert again with `optimise-model convert`, with `--precision fp16-weights` if it was another; if it stays, report the model as one that conversion breaks.';
    },
  }),
  'parity-unjudged': defineMessage<{ verdict: string; reason: string }>({
    exit: 4,
    what: (facts) => `Parity is ${facts.verdict}: ${facts.reason}`,
    remedy: () =>
      'Give inputs that make every output comparable (`--input NAME=SHAPE`, `inputs:` in the pipeline), export without random operators, or accept it with `pick: { require: { parity: any } }`.',
  }),
  'parity-not-discriminating': defineMessage<{
    candidate: string;
    outputs: readonly {
      readonly name: string;
      readonly maxAbsReference: number | null;
      /** Share, 0 to 1, of elements whose |reference| is not above atol. */
      readonly belowAtolShare: number | null;
      readonly passedBy: 'zeros' | 'constant' | null;
      readonly seen: string;
    }[];
  }>({
    exit: 4,
    what: (facts) =>
      `The bounds prove nothing about ${facts.candidate}: ${facts.outputs.map(({ name, seen }) => `\`${name}\` is ${seen}`).join('; ')}.`,
    remedy: () =>
      'Feed inputs that the model reacts to (`--input NAME=@FILE.npy`, or a `file` of real data under `inputs:` in the pipeline), lower `--atol` to a hundredth of the largest |reference| and `--rtol` below its variation, or give `--cosine 0.9999`.',
  }),
  'parity-constant-output': defineMessage<{ candidate: string; outputs: readonly string[] }>({
    exit: 4,
    what: (facts) =>
      `The reference gives one number throughout ${facts.outputs.map((name) => `\`${name}\``).join(', ')}; ${facts.candidate} gives it too, but there is no variation that it could have got wrong.`,
    remedy: () =>
      'Validate with other inputs as well, such as a `file` of real data under `inputs:` in the pipeline.',
  }),
  'parity-untouched': defineMessage<{ candidate: string; precision: string }>({
    exit: 4,
    what: (facts) =>
      `Every output of ${facts.candidate} is bit-equal to the reference although its precision is ${facts.precision}: either no weight loses anything in half precision, or these inputs saturate the model and prove little.`,
    remedy: () =>
      'Give inputs in the range that the model is made for: fill, min and max, or a `file` of real data, under `inputs:` in the pipeline.',
  }),
  'parity-io-differs': defineMessage<{
    candidate: string;
    /** With the finite numbers of the feed that are beyond FP16. */
    inputs: readonly (TypeDifference & { readonly overflowCount: number })[];
    outputs: readonly TypeDifference[];
  }>({
    exit: 0,
    what: ({ candidate, inputs, outputs }) => {
      const parts = [
        ...inputs.map((input) => `input ${showTypes(input)}${showOverflow(input.overflowCount)}`),
        ...outputs.map((output) => `output ${showTypes(output)}`),
      ];
      return `${candidate} has other types than the reference: ${parts.join(', ')}; such inputs are fed the same numbers, rounded, such outputs compared as numbers.`;
    },
    remedy: () =>
      'Feed and read float16 there wherever this model is called, or convert without `--io` (`convert.io` in a pipeline) to keep the types.',
  }),
  'parity-output-added': defineMessage<{ candidate: string; outputs: readonly string[] }>({
    exit: 1,
    what: (facts) =>
      `${facts.candidate} has outputs that the reference does not have: ${facts.outputs.join(', ')}; they were not compared.`,
    remedy: () => 'Run `optimise-model inspect` on both models to see where they come from.',
  }),
};
