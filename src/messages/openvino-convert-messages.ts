import { defineMessage } from './message.js';

const share = (part: number) => (part < 0.001 ? 'less than 0.1 %' : `${Math.ceil(part * 1000) / 10} %`);

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const some = (names: readonly string[], count: number) =>
  `${names.join(', ')}${count > names.length ? ` and ${count - names.length} more` : ''}`;

const bindings = {
  'compiled-blob': 'it is compiled',
  'layout-optimised-graph': 'its graph has the layout of one family of processors',
  'prepacked-weights': 'its weights are saved as kernels pack them',
};

function whyKept({ outsideCount, constantCount }: { outsideCount: number; constantCount: number }): string {
  const precision = 'because their precision matters to it';
  if (outsideCount === 0) return precision;
  const outside = 'because most of their numbers are outside FP16';
  return outsideCount === constantCount ? outside : `${outsideCount} ${outside}, the others ${precision}`;
}

/** How a conversion for OpenVINO says what it could not do, and what OpenVINO did to the numbers. */
export const openvinoConvertMessages = {
  'ovc-missing': defineMessage<{ libraryPath: string; reason: string }>({
    exit: 3,
    what: (facts) =>
      `The OpenVINO of ${facts.libraryPath} came without its converter, which writes \`ir\`: ${facts.reason}.`,
    remedy: () =>
      'Run `python3 -m pip install openvino`, and let `--openvino-lib` and OPENVINO_LIB_PATH name no other installation; or use `--layout single`, which needs no converter.',
  }),
  'ovc-failed': defineMessage<{ reason: string }>({
    exit: 3,
    what: (facts) => `OpenVINO’s converter ended without a model: ${facts.reason}. Nothing was written.`,
    remedy: () =>
      'Look at free memory and disk space, then convert again; `optimise-model doctor` says which OpenVINO is used.',
  }),
  'openvino-refused-model': defineMessage<{
    path: string;
    reason: string;
    /** Operators that it names; empty where it names none. */
    operators: readonly string[];
    isOptimised: boolean;
  }>({
    exit: 2,
    what: (facts) => `OpenVINO cannot read ${facts.path}: ${facts.reason}.`,
    remedy: ({ isOptimised }) =>
      isOptimised
        ? 'Convert the model as it was exported, not as another runtime has saved it, or leave out the variants with `engine: openvino`.'
        : 'Export the model without what it names, or leave out the variants with `engine: openvino`.',
  }),
  'inference-not-available': defineMessage<{
    inference: string;
    /** The processor, where it has a name. */
    device: string | null;
    available: readonly string[];
  }>({
    exit: 3,
    what: (facts) =>
      `OpenVINO computes ${facts.available.join(' or ')} on this processor${facts.device === null ? '' : ` (${facts.device})`}, not ${facts.inference}.`,
    remedy: (facts) =>
      `Convert and measure it where the processor has ${facts.inference}, or leave \`--inference\` (\`inference:\` of the variant in a pipeline) out.`,
  }),
  'processor-unknown': defineMessage<{ architecture: string }>({
    exit: 3,
    what: (facts) =>
      `No \`blob\` can be compiled here: /proc/cpuinfo does not say what the processor (${facts.architecture}) can do, so that nothing would keep the result from a processor that it is wrong for.`,
    remedy: () => 'Compile it on Linux, on the processor that it is for, or use `--layout ir`.',
  }),
  'constants-clamped': defineMessage<{
    path: string;
    valueCount: number;
    /** Of them, infinities and NaN. */
    nonFiniteCount: number;
    constantCount: number;
    largest: number;
    examples: readonly string[];
  }>({
    exit: 2,
    what: (facts) =>
      `${counted(facts.valueCount, 'value')} of ${counted(facts.constantCount, 'constant')} of ${facts.path} ${facts.valueCount === 1 ? 'was' : 'were'} clamped to ±65504 when OpenVINO stored them as FP16${facts.nonFiniteCount === 0 ? '' : `, ${facts.nonFiniteCount} of them infinite or NaN`}; the largest finite one is ${facts.largest.toPrecision(4)}: ${some(facts.examples, facts.constantCount)}.`,
    remedy: () =>
      'Use `--precision fp32`, or `--layout single`, which keeps such weights FP32; let `optimise-model validate` judge the result otherwise.',
  }),
  'constants-kept-fp32': defineMessage<{
    path: string;
    constantCount: number;
    sizeBytes: number;
    /** Of them, those most of whose numbers have no place in FP16. */
    outsideCount: number;
    examples: readonly string[];
  }>({
    exit: 2,
    what: (facts) =>
      `OpenVINO keeps ${counted(facts.constantCount, 'constant')} (${facts.sizeBytes} bytes) of ${facts.path} FP32, ${whyKept(facts)}: ${some(facts.examples, facts.constantCount)}.`,
    remedy: () => 'Nothing must be done.',
  }),
  'constants-vanished': defineMessage<{
    path: string;
    valueCount: number;
    constantCount: number;
    examples: readonly string[];
    /** The constant that lost the largest share, 0 to 1, of its numbers, and the largest magnitude in it. */
    worst: { readonly name: string; readonly share: number; readonly largest: number };
  }>({
    exit: 2,
    what: (facts) =>
      `${counted(facts.valueCount, 'value')} in ${counted(facts.constantCount, 'constant')} of ${facts.path} ${facts.valueCount === 1 ? 'is' : 'are'} too small for FP16 and became 0: ${some(facts.examples, facts.constantCount)}. In ${facts.worst.name}, whose largest number is ${facts.worst.largest.toPrecision(2)}, that is ${share(facts.worst.share)} of the numbers.`,
    remedy: () => 'Let `optimise-model validate` judge the result; use `--precision fp32` if it fails.',
  }),
  'no-constant-stored': defineMessage<{ path: string }>({
    exit: 2,
    what: (facts) =>
      `OpenVINO stores no constant of ${facts.path} as FP16; the result is the same as with fp32.`,
    remedy: () => 'Leave this variant out, or use `--precision fp32`.',
  }),
  'ir-not-compared': defineMessage<{ path: string }>({
    exit: 2,
    what: (facts) =>
      `What OpenVINO did to the numbers of ${facts.path} could not be found out: the FP16 model that it wrote has other constants than the FP32 one.`,
    remedy: () => 'Let `optimise-model validate` judge the result; use `--precision fp32` if it fails.',
  }),
  'bfloat16-read-by-openvino': defineMessage<{ path: string; tensorCount: number }>({
    exit: 2,
    what: (facts) =>
      `${counted(facts.tensorCount, 'tensor')} of ${facts.path} ${facts.tensorCount === 1 ? 'is' : 'are'} bfloat16, which OpenVINO 2026.4 reads as other numbers; what is in the result was not compared with the model.`,
    remedy: () =>
      'Let `optimise-model validate` judge the result; export the model with FP32 weights if it fails.',
  }),
  'prepacked-left-out': defineMessage<{ path: string; tensorCount: number }>({
    exit: 2,
    what: (facts) =>
      `${facts.tensorCount} weights of ${facts.path} are saved as the kernels of one onnxruntime pack them on one processor as well; the result has them as they are only, and runs anywhere.`,
    remedy: () => 'Nothing must be done; convert the model as it was exported.',
  }),
  'artifact-bound': defineMessage<{
    path: string;
    kind: 'compiled-blob' | 'layout-optimised-graph' | 'prepacked-weights';
    engine: string;
    engineVersion: string | null;
    instructionSets: readonly string[];
  }>({
    exit: 2,
    what: ({ path, kind, engine, engineVersion, instructionSets }) => {
      const version = engineVersion === null ? '' : `${engine} ${engineVersion} and to `;
      const processor =
        instructionSets.length === 0 ? 'like the one it was made on' : `with ${instructionSets.join(', ')}`;
      return `What was made of ${path} is bound to ${version}processors ${processor}: ${bindings[kind]}.`;
    },
    remedy: ({ kind }) =>
      kind === 'compiled-blob'
        ? 'Ship it only where both are the same, or use `--layout ir`; `optimise-model pick` chooses it only when `require.bound: any` says so.'
        : 'Convert the model as it was exported; `optimise-model pick` chooses this one only when `require.bound: any` says so.',
  }),
};
