import { type HalfStats, relativeErrorOf } from '../half/half-stats.js';
import { type Finding, makeFinding } from '../messages/finding.js';
import type { ConvertOptions, NodeTotals } from './convert-options.js';
import { takesCasts } from './default-domain.js';
import type { KnownStats } from './plan/weight.js';
import type { Conversion } from './plan-conversion.js';
import { statsOf } from './total-weights.js';

const exampleCount = 5;
/**
 * When becoming 0 is worth a look: from this share of a tensor's numbers on, where its largest is so small that those
 * which became 0, up to 2^-25, are more than 2^-14 of it. Trained models are full of dead channels, where they are not.
 */
const notableShare = 0.01;
const smallScale = 2 ** -11;

/**
 * Says what a conversion kept or lost.
 *
 * @param conversion - What was done.
 * @param known - What rounding did to large weights.
 * @param nodes - What became of the nodes.
 * @param options - How the model was converted.
 * @returns Findings in a fixed order.
 */
export function conversionFindings(
  conversion: Conversion,
  known: KnownStats,
  nodes: NodeTotals,
  options: ConvertOptions,
): Finding[] {
  const path = options.model;
  if (options.precision === 'fp32') return [];
  const findings = [...keptFindings(conversion, known, options), ...underflowFindings(conversion, known)];
  const scopes = conversion.graph.scopes.map(({ scope }) => scope);
  const old = scopes.filter((scope) => !takesCasts(scope)).map((scope) => scope.path);
  if (old.length > 0) findings.push(makeFinding('warning', 'opset-without-cast', { path, scopes: old }));
  if (old.length > 0 && old.length === scopes.length) return findings;
  if (conversion.stored.length === 0) {
    const { minWeightBytes, precision } = options;
    findings.push(makeFinding('warning', 'no-weight-stored', { path, minWeightBytes, precision }));
  }
  if (options.precision === 'fp16' && nodes.fp16 === 0) {
    const facts = { path, nodesTotal: nodes.total, nodesAllowed: nodes.allowed };
    findings.push(makeFinding('warning', 'graph-stays-fp32', facts));
  }
  return findings;
}

function keptFindings({ kept }: Conversion, known: KnownStats, options: ConvertOptions): Finding[] {
  const findings: Finding[] = [];
  for (const { weight, reason, isReadAsHalf } of kept) {
    const { value, sizeBytes } = weight;
    const facts = { tensor: value.name, scope: value.scope.scope.path, sizeBytes };
    const stats = statsOf(weight, known);
    if (reason === 'beyond FP16') {
      const { overflowCount } = stats;
      const code = isReadAsHalf ? 'weight-becomes-infinite' : 'weight-kept-fp32';
      findings.push(makeFinding('warning', code, { ...facts, overflowCount }));
    } else if (reason === 'relative error above the limit') {
      const bounds = { relativeError: relativeErrorOf(stats), limit: options.maxWeightError };
      findings.push(makeFinding('warning', 'weight-too-inexact', { ...facts, ...bounds }));
    }
  }
  const small = kept.filter(({ reason }) => reason === 'would become 0 in FP16');
  if (small.length > 0) {
    const examples = small.slice(0, exampleCount).map(({ weight }) => weight.value.name);
    findings.push(makeFinding('info', 'weights-kept-small', { tensorCount: small.length, examples }));
  }
  return findings;
}

type Lossy = { readonly tensor: string; readonly stats: HalfStats; readonly share: number };

function underflowFindings({ stored }: Conversion, known: KnownStats): Finding[] {
  const lossy = stored.flatMap((weight): Lossy[] => {
    const stats = statsOf(weight, known);
    const share = stats.underflowCount / (weight.sizeBytes / 4);
    return stats.underflowCount === 0 ? [] : [{ tensor: weight.value.name, stats, share }];
  });
  if (lossy.length === 0) return [];
  const grave = lossy.filter(({ share, stats }) => share >= notableShare && stats.largest < smallScale);
  const worst = (grave.length > 0 ? grave : lossy).reduce((most, part) =>
    part.share > most.share ? part : most,
  );
  const facts = {
    tensorCount: lossy.length,
    valueCount: lossy.reduce((sum, { stats }) => sum + stats.underflowCount, 0),
    examples: lossy.slice(0, exampleCount).map(({ tensor }) => tensor),
    worst: { tensor: worst.tensor, share: worst.share, largest: worst.stats.largest },
  };
  return [makeFinding(grave.length > 0 ? 'warning' : 'info', 'weights-underflow', facts)];
}
