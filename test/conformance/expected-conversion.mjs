// What a conversion by default rules is to convert: decided from the source alone, by the converter's plan.
import { fp32Rules } from '../../dist/convert/convert-options.js';
import { planConversion } from '../../dist/convert/plan-conversion.js';

/** The default options with threshold 0: every weight is to be stored as FP16, however small. */
const numberOptions = {
  minWeightBytes: 0,
  maxWeightError: 0.01,
  io: 'fp32',
  keepFp32: [],
  withoutRules: [],
};

/** The same for a bare model of one file, which nothing opens. */
export const bareOptions = {
  ...numberOptions,
  layout: 'single',
  engine: 'onnxruntime',
  inference: 'f32',
  loadCheck: false,
  sourceSha256: null,
};

/**
 * Why a node may stay FP32 that the slot table allows: a rule that can be switched off, or that it shares values with such
 * a node, as what goes round a Loop. That the converter does not know it, or takes its slots for FLOAT only, is no excuse.
 */
const excuses = new Set([...fp32Rules, 'shared-value']);

/**
 * Asks for the nodes and weights that stay FP32 by a rule.
 * @param {import('../../dist/onnx/read-model.js').OnnxModel} source - The source.
 * @param {'fp16-weights' | 'fp16'} precision - What is asked for.
 * @returns {Promise<{ nodes: Map<object, string>, weights: Map<string, string> }>} Reasons by node of the source, and by
 *   scope and name of a weight as {@link weightKey} puts them together.
 */
export async function planExpected(source, precision) {
  const plan = await planConversion(source, { ...numberOptions, precision }, new Map());
  const nodes = new Map();
  for (const [{ node }, { reason }] of plan.decisions) if (excuses.has(reason)) nodes.set(node, reason);
  const weights = plan.kept.map(({ weight, reason }) => {
    const { name, scope } = weight.value;
    return [weightKey(scope.scope.path, name), reason];
  });
  return { nodes, weights: new Map(weights) };
}

/**
 * Names a weight in all scopes.
 * @param {string} path - Of its scope.
 * @param {string} name - Its own.
 * @returns {string} Both.
 */
export function weightKey(path, name) {
  return `${path} ${name}`;
}
