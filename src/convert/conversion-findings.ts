import { type Finding, makeFinding } from '../messages/finding.js';
import type { Conversion } from './conversion.js';
import type { ConvertOptions, WeightTotals } from './convert-options.js';
import { takesCasts } from './default-domain.js';
import { nameField } from './needed-fields.js';
import type { Source } from './open-source.js';

const exampleCount = 5;
/**
 * When becoming 0 is worth a look: from this share of a tensor's numbers on, where its largest is so small that those
 * which became 0, up to 2^-25, are more than 2^-14 of it. Trained models are full of dead channels, where they are not.
 */
const notableShare = 0.01;
const smallScale = 2 ** -11;

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
  findings.push(...keptFindings(conversion), ...underflowFindings(conversion));
  if (options.precision === 'fp32') return findings;
  const old = conversion.scopes.filter((scope) => !takesCasts(scope));
  if (old.length > 0) {
    const scopes = old.map((scope) => scope.path);
    findings.push(makeFinding('warning', 'opset-without-cast', { path: source.onnx.path, scopes }));
    if (old.length === conversion.scopes.length) return findings;
  }
  if (conversion.stored.length === 0) {
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

function keptFindings({ kept }: Conversion): Finding[] {
  const findings = kept
    .filter(({ reason }) => reason === 'beyond FP16')
    .map(({ name, scope, sizeBytes, overflowCount }) =>
      makeFinding('warning', 'weight-kept-fp32', { tensor: name, scope, sizeBytes, overflowCount }),
    );
  const small = kept.filter(({ reason }) => reason === 'would become 0 in FP16');
  if (small.length > 0) {
    const examples = small.slice(0, exampleCount).map(({ name }) => name);
    findings.push(makeFinding('info', 'weights-kept-small', { tensorCount: small.length, examples }));
  }
  return findings;
}

function underflowFindings({ stored }: Conversion): Finding[] {
  const lossy = stored.filter(({ stats }) => stats.underflowCount > 0);
  if (lossy.length === 0) return [];
  const parts = lossy.map(({ weight, stats, largest = 0 }) => ({
    tensor: weight.name,
    share: stats.underflowCount / (weight.sizeBytes / 4),
    largest,
  }));
  const grave = parts.filter((part) => part.share >= notableShare && part.largest < smallScale);
  const worst = (grave.length > 0 ? grave : parts).reduce((most, part) =>
    part.share > most.share ? part : most,
  );
  const facts = {
    tensorCount: lossy.length,
    valueCount: lossy.reduce((sum, { stats }) => sum + stats.underflowCount, 0),
    examples: lossy.slice(0, exampleCount).map(({ weight }) => weight.name),
    worst,
  };
  return [makeFinding(grave.length > 0 ? 'warning' : 'info', 'weights-underflow', facts)];
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
