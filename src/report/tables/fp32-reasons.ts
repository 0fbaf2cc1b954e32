import type { NodeReason, WeightReason } from '../documents/convert-result.js';

/** A reason in plain words, and what takes it away; null when nothing does. */
export type ReasonText = { readonly text: string; readonly remedy: string | null };

const withoutRule = (rule: NodeReason) => `--without-rule ${rule}`;

/** Why nodes compute in FP32. */
export const nodeReasons: Readonly<Record<NodeReason, ReasonText>> = {
  'integer-values': {
    text: 'computes whole numbers, such as sizes or positions: FP16 holds them only up to 2,048',
    remedy: withoutRule('integer-values'),
  },
  ranges: {
    text: 'counts in steps, which FP16 would repeat or skip',
    remedy: withoutRule('ranges'),
  },
  'beyond-fp16': {
    text: 'takes or makes numbers beyond 65,504, the largest of FP16',
    remedy: withoutRule('beyond-fp16'),
  },
  'small-numbers': {
    text: 'uses a number, such as an epsilon, that would become 0 or lose its digits in FP16',
    remedy: withoutRule('small-numbers'),
  },
  'growing-sums': {
    text: 'adds up squares, exponentials or very many numbers, which outgrow FP16',
    remedy: withoutRule('growing-sums'),
  },
  quantisation: {
    text: 'quantises or dequantises: its scales need all their digits',
    remedy: withoutRule('quantisation'),
  },
  generators: {
    text: 'makes numbers of its own, which would be others in FP16',
    remedy: withoutRule('generators'),
  },
  'missing-kernels': {
    text: 'onnxruntime cannot run it in FP16',
    remedy: withoutRule('missing-kernels'),
  },
  'kept-by-user': { text: 'named by --keep-fp32', remedy: 'leave out its --keep-fp32' },
  'fp32-only-slot': { text: 'its operator takes no FP16 in this opset', remedy: null },
  'unknown-operator': { text: 'an operator that is not known, such as one of another domain', remedy: null },
  function: { text: "calls, or is part of, a function of the model's own", remedy: null },
  'shared-value': {
    text: 'shares a value with nodes that stay FP32: a state of a loop, a result of both branches',
    remedy: null,
  },
};

/** What takes away the reasons for which weights are stored as FP32, which are plain words themselves. */
export const weightRemedies: Readonly<Record<WeightReason, string | null>> = {
  'beyond FP16': null,
  'would become 0 in FP16': withoutRule('small-numbers'),
  'would lose its digits in FP16': withoutRule('small-numbers'),
  'read by nothing': null,
  'relative error above the limit': 'raise --max-weight-error',
  'opset below 6': null,
  'below the size threshold': 'lower --min-weight-bytes',
  'read as FP32 and too small for a Cast': 'lower --min-weight-bytes',
  'graph input': null,
  'graph output': null,
  'needs all its digits': withoutRule('integer-values'),
  'quantisation scale': withoutRule('quantisation'),
  'read by the training graph': null,
  'kept by the user': 'leave out its --keep-fp32',
  'mostly outside FP16': null,
  'its precision matters to OpenVINO': null,
};
