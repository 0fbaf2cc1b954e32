import { defineMessage } from './message.js';

const mebibytes = (sizeBytes: number) => `${(sizeBytes / 1024 ** 2).toFixed(sizeBytes < 1e6 ? 2 : 1)} MiB`;

const percent = (share: number) => (share < 0.001 ? 'less than 0.1 %' : `${Math.ceil(share * 1000) / 10} %`);

/** How a conversion says what it kept, lost or could not do. */
export const convertMessages = {
  'model-too-large-inline': defineMessage<{ path: string; sizeBytes: number; limitBytes: number }>({
    exit: 2,
    what: (facts) =>
      `${facts.path} would have ${facts.sizeBytes} bytes even with its large weights in a data file; one .onnx file holds at most ${facts.limitBytes}.`,
    remedy: () => 'Export the model with fewer weights in the bodies of If, Loop and Scan.',
  }),
  'io-name-unknown': defineMessage<{
    path: string;
    unknown: readonly string[];
    known: readonly string[];
  }>({
    exit: 2,
    what: (facts) =>
      `${facts.path} has no FLOAT input or output named ${facts.unknown.map((name) => `'${name}'`).join(', ')}.`,
    remedy: (facts) =>
      facts.known.length === 0
        ? 'Leave `--io` out: none of its inputs and outputs is FLOAT.'
        : `Name some of these in \`--io\`: ${facts.known.join(', ')}.`,
  }),
  'keep-rule-unmatched': defineMessage<{ path: string; rules: readonly string[] }>({
    exit: 2,
    what: (facts) => `Nothing in ${facts.path} is named by ${facts.rules.join(', ')}.`,
    remedy: () =>
      'Correct or remove this `--keep-fp32`; `optimise-model inspect` lists the operators of a model.',
  }),
  'output-refused': defineMessage<{ out: string; reason: string }>({
    exit: 2,
    what: (facts) => `Will not write to ${facts.out}: ${facts.reason}.`,
    remedy: () => 'Give another `--out`.',
  }),
  'output-set-aside': defineMessage<{ out: string; old: string; reason: string }>({
    exit: 3,
    what: (facts) =>
      `Could not put the new folder at ${facts.out} (${facts.reason}), and could not put the old one back: it is at ${facts.old}.`,
    remedy: (facts) => `Put it back with \`mv '${facts.old}' '${facts.out}'\`, then convert again.`,
  }),
  'model-names-repeated': defineMessage<{
    path: string;
    names: readonly { readonly name: string; readonly scope: string }[];
  }>({
    exit: 2,
    what: (facts) =>
      `${facts.path} gives one name to two values: ${facts.names.map(({ name, scope }) => `'${name}' in ${scope}`).join(', ')}. Nothing was written.`,
    remedy: () =>
      'Export the model again with a name for each initializer and each node output, or convert with `--precision fp32 --layout single`, which copies the file as it is.',
  }),
  'model-has-cycle': defineMessage<{ path: string; scope: string; opType: string; output: string }>({
    exit: 2,
    what: (facts) =>
      `${facts.path} has nodes that wait for each other: in ${facts.scope}, the ${facts.opType} that gives '${facts.output}' needs what is computed from it. Nothing was written.`,
    remedy: () => 'Export the model again; no runtime can run it as it is.',
  }),
  'converted-model-refused': defineMessage<{ engine: string; path: string; reason: string }>({
    exit: 1,
    what: (facts) =>
      `${facts.engine} opens ${facts.path}, but not what was made of it: ${facts.reason}. Nothing was written.`,
    remedy: () =>
      'Keep the operator that it names in FP32 with `--keep-fp32 op:TYPE`, or use `--precision fp16-weights`.',
  }),
  'load-not-judged': defineMessage<{ engine: string; path: string }>({
    exit: 2,
    what: (facts) =>
      `${facts.engine} opens neither ${facts.path} nor what was made of it, so that opening it proves nothing.`,
    remedy: () => 'Open the result in the runtime that it is meant for.',
  }),
  'layout-became-external': defineMessage<{ path: string; sizeBytes: number; limitBytes: number }>({
    exit: 2,
    what: (facts) =>
      `The weights of ${facts.path} are in a data file beside the model (\`external\`): one .onnx file holds at most ${facts.limitBytes} bytes.`,
    remedy: () => 'Nothing must be done; give `--layout external` to say that this is meant.',
  }),
  'conversion-broken': defineMessage<{ path: string; problems: readonly string[] }>({
    exit: 70,
    what: (facts) =>
      `Converting ${facts.path} gave a broken model, which is a bug in optimise-model: ${facts.problems.join('; ')}. Nothing was written.`,
    remedy: () =>
      'Report it with the command line and, if possible, the model; leave this variant out until then.',
  }),
  'weight-kept-fp32': defineMessage<{
    tensor: string;
    scope: string;
    sizeBytes: number;
    overflowCount: number;
  }>({
    exit: 2,
    what: (facts) =>
      `'${facts.tensor}' in ${facts.scope} stays FP32 (${facts.sizeBytes} bytes): ${facts.overflowCount} of its values are beyond FP16 (65504).`,
    remedy: () => 'Nothing must be done; rescale these weights before the export if the size matters.',
  }),
  'weight-becomes-infinite': defineMessage<{
    tensor: string;
    scope: string;
    sizeBytes: number;
    overflowCount: number;
  }>({
    exit: 2,
    what: (facts) =>
      `'${facts.tensor}' in ${facts.scope} stays FP32 (${facts.sizeBytes} bytes), but FP16 nodes read it: ${facts.overflowCount} of its values are beyond FP16 (65504) and become infinite there.`,
    remedy: () => 'Leave `--without-rule beyond-fp16` out, or name its readers in `--keep-fp32`.',
  }),
  'weight-too-inexact': defineMessage<{
    tensor: string;
    scope: string;
    sizeBytes: number;
    relativeError: number;
    limit: number;
  }>({
    exit: 2,
    what: (facts) =>
      `'${facts.tensor}' in ${facts.scope} stays FP32 (${facts.sizeBytes} bytes): FP16 would change it by ${facts.relativeError.toPrecision(2)} of its norm, the limit is ${facts.limit}.`,
    remedy: () => 'Nothing must be done; raise `--max-weight-error` to store it as FP16 all the same.',
  }),
  'weights-underflow': defineMessage<{
    tensorCount: number;
    valueCount: number;
    examples: readonly string[];
    /** A tensor that lost the largest share, 0 to 1, of its numbers, and the largest magnitude in it. */
    worst: { readonly tensor: string; readonly share: number; readonly largest: number };
  }>({
    exit: 2,
    what: (facts) =>
      `${facts.valueCount} values in ${facts.tensorCount} tensors are too small for FP16 and became 0: ${facts.examples.join(', ')}. In '${facts.worst.tensor}' that is ${percent(facts.worst.share)} of the numbers, the largest of which is ${facts.worst.largest.toPrecision(2)}.`,
    remedy: () => 'Let `optimise-model validate` judge the result; use `--precision fp32` if it fails.',
  }),
  'weights-kept-small': defineMessage<{ tensorCount: number; examples: readonly string[] }>({
    exit: 2,
    what: (facts) =>
      `${facts.tensorCount} small tensors hold a number, such as an epsilon, that would become 0 in FP16, and stay FP32: ${facts.examples.join(', ')}.`,
    remedy: () => 'Nothing must be done.',
  }),
  'opset-without-cast': defineMessage<{ path: string; scopes: readonly string[] }>({
    exit: 2,
    what: (facts) =>
      `${facts.scopes.join(', ')} of ${facts.path} stays FP32: it is of an opset below 6, whose Cast onnxruntime does not read.`,
    remedy: () =>
      'Convert it to opset 6 or later (`onnx.version_converter.convert_version`), or leave this variant out.',
  }),
  'no-weight-stored': defineMessage<{
    path: string;
    minWeightBytes: number;
    precision: 'fp32' | 'fp16-weights' | 'fp16';
  }>({
    exit: 2,
    what: (facts) =>
      `${facts.path} has ${facts.precision === 'fp16' ? 'no weight that FP16 nodes read, and no other' : 'no'} FP32 weight of ${facts.minWeightBytes} bytes or more that can be stored as FP16; the result is as large as the source.`,
    remedy: () => 'Lower `--min-weight-bytes`, or leave this variant out.',
  }),
  'graph-stays-fp32': defineMessage<{
    path: string;
    nodesTotal: number;
    /** Nodes with FP32 values that their operators take in FP16 as well. */
    nodesAllowed: number;
  }>({
    exit: 2,
    what: (facts) =>
      facts.nodesAllowed === 0
        ? `There is nothing to compute in FP16 in ${facts.path}: none of its ${facts.nodesTotal} nodes computes in FP32 with an operator that takes FP16.`
        : `No node of ${facts.path} computes in FP16 now: of its ${facts.nodesTotal}, ${facts.nodesAllowed} have operators that take it, and all of these must stay FP32.`,
    remedy: (facts) =>
      facts.nodesAllowed === 0
        ? 'Leave this variant out; what FP16 or whole numbers compute stays as it is.'
        : 'Use `--precision fp16-weights`, or give `--report` to see why they stay FP32 and how to change that.',
  }),
  'no-data-file': defineMessage<{ path: string; minTensorBytes: number }>({
    exit: 2,
    what: (facts) =>
      `${facts.path} has no tensor of ${facts.minTensorBytes} bytes or more in its main graph, so the external layout has no data file.`,
    remedy: () => 'Use `--layout single`: it is the same here.',
  }),
  'weights-stay-inside': defineMessage<{ path: string; tensorCount: number; sizeBytes: number }>({
    exit: 2,
    what: (facts) =>
      `${facts.tensorCount} tensors (${mebibytes(facts.sizeBytes)}) of ${facts.path} are inside If, Loop or Scan bodies or functions and stay in the .onnx file: onnxruntime does not open a model from memory, as \`lazy\` does, when tensors there are external.`,
    remedy: () =>
      'Nothing must be done; export the model without control flow if these weights are to be mapped.',
  }),
  'artifact-replaced': defineMessage<{
    out: string;
    variantId: string;
    sourceName: string;
    sizeBytes: number;
    byVariantId: string;
    bySourceName: string;
  }>({
    exit: 2,
    what: (facts) =>
      `${facts.out} held ${facts.variantId} of ${facts.sourceName} (${mebibytes(facts.sizeBytes)}), which ${facts.byVariantId} of ${facts.bySourceName} has replaced.`,
    remedy: () =>
      'Give each variant an `--out` of its own to keep them all; convert again to have the old one back.',
  }),
};
