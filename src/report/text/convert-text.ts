import { formatBytes, formatExactBytes } from '../../lib/format-quantity.js';
import type { ConvertReport } from '../documents/convert-result.js';
import {
  tabulateConvertedBytes,
  tabulateKeptNodes,
  tabulateKeptReasons,
  tabulateKeptWeights,
  tabulateRoundedValues,
} from '../tables/convert-tables.js';
import { countOf, writePercent, writeTolerance } from '../tables/write-value.js';
import { drawFacts, type Fact } from './draw-facts.js';
import { drawTextTable, type TextSettings } from './draw-table.js';

/**
 * Says in a few lines what a conversion made, for a terminal.
 *
 * @param result - The conversion.
 * @param settings - Whether to colour.
 * @returns Lines without a final newline.
 */
export function renderConvertText(result: ConvertReport, settings: TextSettings): string {
  return drawSummary(result, settings, ': --report says why');
}

function drawSummary(result: ConvertReport, settings: TextSettings, hint: string): string {
  const { variant, sizeBytes, sourceSizeBytes, record } = result;
  const share = sourceSizeBytes > 0 ? writePercent((100 * sizeBytes) / sourceSizeBytes) : '–';
  const sizes = `${formatExactBytes(sizeBytes)} B (${formatBytes(sizeBytes)}), ${share} of the source`;
  return drawFacts(
    `${variant.id} → ${result.out}`,
    [
      ['size', sizes, 'strong'],
      ...(variant.precision === 'fp32' ? [['weights', 'as they were'] as const] : describeFp16(result, hint)),
      describeLoadCheck(result.loadCheck, variant.engine),
      ...(record === null ? [] : ([['digest', record.digest]] as const)),
    ],
    settings,
  );
}

/**
 * Says all of what a conversion did, what it left as it was and why, for a terminal.
 *
 * @param result - The conversion.
 * @param settings - Whether to colour, how wide.
 * @returns Lines without a final newline.
 */
export function renderConvertReport(result: ConvertReport, settings: TextSettings): string {
  const { weights, nodes } = result;
  const hasValues = weights.values + weights.overflowingValues > 0;
  const tables = [
    tabulateConvertedBytes(result),
    ...(hasValues ? [tabulateRoundedValues(result)] : []),
    ...(nodes.keptFp32.length > 0 ? [tabulateKeptNodes(result)] : []),
    ...(weights.keptFp32.length > 0 ? [tabulateKeptReasons(result), tabulateKeptWeights(result)] : []),
  ];
  return [drawSummary(result, settings, ''), ...tables.map((table) => drawTextTable(table, settings))].join(
    '\n\n',
  );
}

/** OpenVINO has made nodes of its own of all of them otherwise. */
function isOnnx({ variant }: ConvertReport): boolean {
  return variant.layout === 'single' || variant.layout === 'external';
}

function computesInFp16({ variant }: ConvertReport): boolean {
  return variant.precision !== 'fp32' && variant.precision !== 'fp16-weights';
}

function describeFp16(result: ConvertReport, hint: string): readonly Fact[] {
  const { weights, nodes, castsAdded } = result;
  const { storedAsFp16, fp16Bytes, keptFp32 } = weights;
  const computed = computesInFp16(result)
    ? `${formatExactBytes(nodes.fp16)} of ${formatExactBytes(nodes.allowed)} whose operators take FP16 compute in it`
    : 'compute as before';
  const keptBytes = keptFp32.reduce((sum, weight) => sum + weight.sizeBytes, 0);
  const keptNodes = nodes.keptFp32.reduce((sum, { count }) => sum + count, 0);
  const kept = [
    ...(keptFp32.length === 0 ? [] : [`${countOf(keptFp32.length, 'weight')} (${formatBytes(keptBytes)})`]),
    ...(keptNodes === 0 ? [] : [countOf(keptNodes, 'node')]),
  ];
  return [
    ['weights', `${countOf(storedAsFp16, 'weight')} stored as FP16, ${formatBytes(fp16Bytes)}`],
    ...(storedAsFp16 === 0 ? [] : [['rounding', describeRounding(weights, isOnnx(result))] as const]),
    ...(isOnnx(result)
      ? [
          [
            'nodes',
            castsAdded === 0 ? computed : `${computed}, ${countOf(castsAdded, 'Cast')} added`,
          ] as const,
        ]
      : []),
    ...(kept.length === 0 ? [] : [['kept FP32', `${kept.join(', ')}${hint}`] as const]),
  ];
}

/** What OpenVINO's converter read is what its own formats are compared with. */
function describeRounding(weights: ConvertReport['weights'], isOfSource: boolean): string {
  const { storedAsFp16, losslessTensors, maxRelativeError, values, vanishedValues, clampedValues } = weights;
  if (losslessTensors === storedAsFp16)
    return `lossless: FP16 holds every number${isOfSource ? '' : ' that OpenVINO read'} exactly`;
  const zeros = `${formatExactBytes(vanishedValues)} of ${countOf(values, 'number')} became 0`;
  return [
    `relative error of a weight at most ${writeTolerance(maxRelativeError)}`,
    ...(vanishedValues === 0 ? [] : [zeros]),
    ...(clampedValues === 0 ? [] : [`${formatExactBytes(clampedValues)} became ±65504`]),
    ...(losslessTensors === 0 ? [] : [`FP16 holds ${countOf(losslessTensors, 'weight')} exactly`]),
  ].join('; ');
}

function describeLoadCheck(outcome: ConvertReport['loadCheck'], engine: string): Fact {
  const words = {
    opened: `opens in ${engine}`,
    'left-out': 'left out',
    'not-judged': `not judged: ${engine} does not open the source either`,
  };
  return ['load check', words[outcome], outcome === 'not-judged' ? 'warn' : 'plain'];
}
