import { formatBytes, formatExactBytes } from '../../lib/format-quantity.js';
import type { ConvertReport } from '../documents/convert-result.js';
import { cell, columns } from '../tables/report-table.js';
import { countOf, writePercent, writeTolerance } from '../tables/write-value.js';
import { drawFacts, type Fact } from './draw-facts.js';
import { drawTextTable, type TextSettings } from './draw-table.js';

const shownWeights = 10;

/**
 * Says what a conversion made, for a terminal.
 *
 * @param result - The conversion.
 * @param settings - Whether to colour.
 * @returns Lines without a final newline.
 */
export function renderConvertText(result: ConvertReport, settings: TextSettings): string {
  const { variant, sizeBytes, sourceSizeBytes, weights } = result;
  const share = writePercent((100 * sizeBytes) / sourceSizeBytes);
  const facts = drawFacts(
    `${variant.id} → ${result.out}`,
    [
      [
        'size',
        `${formatExactBytes(sizeBytes)} B (${formatBytes(sizeBytes)}), ${share} of the source`,
        'strong',
      ],
      ...(variant.precision === 'fp32' ? [['weights', 'as they were'] as const] : describeWeights(result)),
      ...(result.record === null ? [] : ([['digest', result.record.digest]] as const)),
    ],
    settings,
  );
  return weights.keptFp32.length === 0 ? facts : `${facts}\n\n${drawKept(result, settings)}`;
}

function describeWeights({ weights, nodesFp16, nodesTotal, castsAdded, findings }: ConvertReport): Fact[] {
  const { storedAsFp16, fp16Bytes, keptFp32 } = weights;
  const nodes = nodesFp16 === 0 ? 'computed in FP32' : `${nodesFp16} of ${nodesTotal} in FP16`;
  return [
    ['weights', `${countOf(storedAsFp16, 'weight')} stored as FP16, ${formatBytes(fp16Bytes)}`],
    ...(storedAsFp16 === 0 ? [] : [['rounding', describeRounding(weights, findings)] as const]),
    ...(keptFp32.length === 0 ? [] : [['kept FP32', countOf(keptFp32.length, 'weight')] as const]),
    ['nodes', castsAdded === 0 ? nodes : `${nodes}, ${countOf(castsAdded, 'Cast')} added`],
  ];
}

function describeRounding(
  { storedAsFp16, lossless, maxRelativeError }: ConvertReport['weights'],
  findings: ConvertReport['findings'],
): string {
  if (lossless === storedAsFp16) return 'none: FP16 holds every number exactly';
  const exact = lossless === 0 ? '' : `; FP16 holds ${countOf(lossless, 'weight')} exactly`;
  // A number that became 0 has lost all of itself, and there is no telling how much the others have.
  if (maxRelativeError < 1) return `relative error at most ${writeTolerance(maxRelativeError)}${exact}`;
  const lost = findings.find(({ code }) => code === 'weights-underflow')?.facts.valueCount;
  const count = typeof lost === 'number' ? countOf(lost, 'value') : 'some values';
  return `${count} too small for FP16 became 0${exact}`;
}

function drawKept({ weights }: ConvertReport, settings: TextSettings): string {
  const bySize = [...weights.keptFp32].sort((left, right) => right.sizeBytes - left.sizeBytes);
  const hidden = bySize.length - shownWeights;
  const table = {
    title: 'Largest weights that stayed FP32',
    columns: columns('~Weight', '~Scope', '>Bytes', '~Why'),
    rows: bySize
      .slice(0, shownWeights)
      .map((weight) => [
        cell(weight.name),
        cell(weight.scope),
        cell(formatExactBytes(weight.sizeBytes)),
        cell(weight.reason),
      ]),
    notes: hidden > 0 ? [`and ${hidden} more, all in \`--json\``] : [],
  };
  return drawTextTable(table, settings);
}
