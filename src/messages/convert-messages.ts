import { defineMessage } from './message.js';

/** How a conversion says what it kept, lost or could not do. */
export const convertMessages = {
  'model-too-large-inline': defineMessage<{ path: string; sizeBytes: number; limitBytes: number }>({
    exit: 2,
    what: (facts) =>
      `${facts.path} with all weights inside would have about ${facts.sizeBytes} bytes; one .onnx file holds at most ${facts.limitBytes}.`,
    remedy: () => 'Use `--layout external`.',
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
  'model-needs-unknown-fields': defineMessage<{ path: string; fields: readonly string[] }>({
    exit: 2,
    what: (facts) =>
      `${facts.path} does not work without fields that this tool cannot write: ${facts.fields.join(', ')}. Nothing was written.`,
    remedy: () =>
      'Convert with `--precision fp32 --layout single`, which copies the file as it is, or export the model with its functions inlined (`onnx.inliner.inline_local_functions`).',
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
  'weights-underflow': defineMessage<{
    tensorCount: number;
    valueCount: number;
    examples: readonly string[];
  }>({
    exit: 2,
    what: (facts) =>
      `${facts.valueCount} values in ${facts.tensorCount} tensors are too small for FP16 and became 0: ${facts.examples.join(', ')}.`,
    remedy: () => 'Let `optimise-model validate` judge the result; use `--precision fp32` if it fails.',
  }),
  'no-weight-stored': defineMessage<{ path: string; minWeightBytes: number }>({
    exit: 2,
    what: (facts) =>
      `${facts.path} has no FP32 weight of ${facts.minWeightBytes} bytes or more that can be stored as FP16; the result is as large as the source.`,
    remedy: () => 'Lower `--min-weight-bytes`, or leave this variant out.',
  }),
  'graph-stays-fp32': defineMessage<{ path: string; nodesTotal: number }>({
    exit: 2,
    what: (facts) =>
      `None of the ${facts.nodesTotal} nodes of ${facts.path} computes in FP16: they are in If, Loop or Scan bodies, in functions, or must stay FP32. Only its weights are stored as FP16.`,
    remedy: () => 'Use `--precision fp16-weights`, which gives the same here.',
  }),
  'no-data-file': defineMessage<{ path: string; minTensorBytes: number }>({
    exit: 2,
    what: (facts) =>
      `${facts.path} has no tensor of ${facts.minTensorBytes} bytes or more, so the external layout has no data file.`,
    remedy: () => 'Use `--layout single`: it is the same here.',
  }),
};
