import { type Finding, makeFinding } from '../messages/finding.js';
import type { Conversion } from './conversion.js';
import type { ConvertOptions, WeightTotals } from './convert-options.js';
import { nameField } from './needed-fields.js';
import type { Source } from './open-source.js';

const exampleCount = 5;

/**
 * Says whether a conversion leaves every byte of the model as it is.
 *
 * @param source - The model.
 * @param options - How it is converted.
 * @returns True for FP32 in one file that was one file before.
 */
export function isByteCopy(source: Source, { precision, layout }: ConvertOptions): boolean {
  return precision === 'fp32' && layout === 'single' && source.externalFiles.length === 0;
}

/**
 * Says what a conversion kept or lost.
 *
 * @param source - The model as it was.
 * @param conversion - What was done to it.
 * @param options - How it was converted.
 * @returns Findings in a fixed order.
 */
export function conversionFindings(
  source: Source,
  conversion: Conversion,
  options: ConvertOptions,
): Finding[] {
  const findings: Finding[] = [];
  if (source.onnx.unknownFields.length > 0 && !isByteCopy(source, options)) {
    findings.push(unknownFieldsFinding(source));
  }
  for (const { name, scope, sizeBytes, reason, overflowCount } of conversion.kept) {
    if (reason !== 'beyond FP16') continue;
    findings.push(
      makeFinding('warning', 'weight-kept-fp32', { tensor: name, scope, sizeBytes, overflowCount }),
    );
  }
  const lossy = conversion.stored.filter(({ stats }) => stats.underflowCount > 0);
  if (lossy.length > 0) {
    const valueCount = lossy.reduce((sum, { stats }) => sum + stats.underflowCount, 0);
    const examples = lossy.slice(0, exampleCount).map(({ weight }) => weight.name);
    const facts = { tensorCount: lossy.length, valueCount, examples };
    findings.push(makeFinding('info', 'weights-underflow', facts));
  }
  if (options.precision !== 'fp32' && conversion.stored.length === 0) {
    const { minWeightBytes, precision } = options;
    const facts = { path: source.onnx.path, minWeightBytes, precision };
    findings.push(makeFinding('warning', 'no-weight-stored', facts));
  }
  if (options.precision === 'fp16' && conversion.nodesFp16 === 0) {
    const nodesTotal = conversion.scopes.reduce((sum, scope) => sum + scope.nodes.length, 0);
    findings.push(makeFinding('warning', 'graph-stays-fp32', { path: source.onnx.path, nodesTotal }));
  }
  return findings;
}

function unknownFieldsFinding({ onnx }: Source): Finding {
  const fields = onnx.unknownFields.map(nameField);
  const count = onnx.unknownFields.reduce((sum, entry) => sum + entry.count, 0);
  return makeFinding('warning', 'unknown-fields', { path: onnx.path, fields, count });
}

/**
 * Adds up what became of the weights.
 *
 * @param conversion - What was done.
 * @returns The totals.
 */
export function totalWeights({ stored, kept }: Conversion): WeightTotals {
  return {
    storedAsFp16: stored.length,
    fp16Bytes: stored.reduce((sum, { weight }) => sum + weight.sizeBytes / 2, 0),
    lossless: stored.filter(({ stats }) => stats.maxRelativeError === 0 && stats.overflowCount === 0).length,
    keptFp32: kept.map(({ name, scope, reason, sizeBytes }) => ({ name, scope, reason, sizeBytes })),
    maxRelativeError: stored.reduce((worst, { stats }) => Math.max(worst, stats.maxRelativeError), 0),
  };
}
