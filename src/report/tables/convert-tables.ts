import { formatBytes, formatExactBytes } from '../../lib/format-quantity.js';
import type { ConvertReport, WeightReason } from '../documents/convert-result.js';
import { nodeReasons, weightRemedies } from './fp32-reasons.js';
import { type Cell, cell, columns, type ReportTable } from './report-table.js';
import { writePercent } from './write-value.js';

const shownWeights = 50;

/**
 * Sets the bytes before and after a conversion side by side.
 *
 * @param result - The conversion.
 * @returns The table.
 */
export function tabulateConvertedBytes(result: ConvertReport): ReportTable {
  const { sourceSizeBytes, sizeBytes, weights } = result;
  const keptBytes = weights.keptFp32.reduce((sum, weight) => sum + weight.sizeBytes, 0);
  const draw = (what: string, bytes: number) => [
    cell(what),
    cell(formatExactBytes(bytes)),
    cell(formatBytes(bytes)),
    cell(writeShare(bytes, sourceSizeBytes)),
  ];
  return {
    title: 'Bytes',
    columns: columns('What', '>Bytes', '>Size', '>Of source'),
    rows: [
      draw('source', sourceSizeBytes),
      draw('result', sizeBytes),
      draw('weights stored as FP16', weights.fp16Bytes),
      draw('weights that stay FP32', keptBytes),
    ],
    notes: [],
  };
}

/**
 * Says what rounding did to the numbers of the weights.
 *
 * @param result - The conversion.
 * @returns The table.
 */
export function tabulateRoundedValues({ weights }: ConvertReport): ReportTable {
  const { values, vanishedValues, subnormalValues, overflowingValues, clampedValues } = weights;
  const draw = (what: string, count: number, share: string) => [
    cell(what),
    cell(formatExactBytes(count)),
    cell(share),
  ];
  return {
    title: 'Numbers of the weights',
    columns: columns('Number', '>Count', '>Of stored'),
    rows: [
      draw('stored as FP16', values, '–'),
      draw('became 0', vanishedValues, writeShare(vanishedValues, values)),
      draw('subnormal: fewer digits', subnormalValues, writeShare(subnormalValues, values)),
      ...(clampedValues === 0
        ? []
        : [draw('beyond FP16: became ±65504', clampedValues, writeShare(clampedValues, values))]),
      draw('beyond FP16: their tensors stay FP32', overflowingValues, '–'),
    ],
    notes: [],
  };
}

/**
 * Lists why nodes compute in FP32, most nodes first.
 *
 * @param result - The conversion.
 * @returns The table.
 */
export function tabulateKeptNodes({ nodes }: ConvertReport): ReportTable {
  const { total, allowed, fp16, keptFp32 } = nodes;
  const rows = [...keptFp32]
    .sort((left, right) => right.count - left.count)
    .map(({ reason, count, examples }) => [
      cell(reason),
      cell(formatExactBytes(count)),
      cell(nodeReasons[reason].text),
      listCell(examples, count),
      drawRemedy(nodeReasons[reason].remedy),
    ]);
  return {
    title: 'Nodes that compute in FP32',
    columns: columns('Reason', '>Nodes', '~Why', '~Such as', 'To change that'),
    rows,
    notes: [
      `${formatExactBytes(fp16)} of ${formatExactBytes(allowed)} nodes whose operators take FP16 compute in it; the model has ${formatExactBytes(total)}.`,
    ],
  };
}

/**
 * Adds the weights that stay FP32 up by their reason, most bytes first.
 *
 * @param result - The conversion.
 * @returns The table.
 */
export function tabulateKeptReasons({ weights }: ConvertReport): ReportTable {
  const totals = new Map<WeightReason, { readonly count: number; readonly sizeBytes: number }>();
  for (const { reason, sizeBytes } of weights.keptFp32) {
    const before = totals.get(reason) ?? { count: 0, sizeBytes: 0 };
    totals.set(reason, { count: before.count + 1, sizeBytes: before.sizeBytes + sizeBytes });
  }
  return {
    title: 'Weights that stay FP32, by reason',
    columns: columns('~Why', '>Weights', '>Bytes', 'To change that'),
    rows: [...totals]
      .sort(([, left], [, right]) => right.sizeBytes - left.sizeBytes)
      .map(([reason, { count, sizeBytes }]) => [
        cell(reason),
        cell(formatExactBytes(count)),
        cell(formatExactBytes(sizeBytes)),
        drawRemedy(weightRemedies[reason]),
      ]),
    notes: [],
  };
}

/**
 * Lists the weights that stay FP32, largest first.
 *
 * @param result - The conversion.
 * @returns The table.
 */
export function tabulateKeptWeights({ weights }: ConvertReport): ReportTable {
  const bySize = [...weights.keptFp32].sort((left, right) => right.sizeBytes - left.sizeBytes);
  const hidden = bySize.length - shownWeights;
  return {
    title: 'Weights that stay FP32',
    columns: columns('~Weight', '~Scope', '>Bytes', '~Why'),
    rows: bySize
      .slice(0, shownWeights)
      .map((weight) => [
        cell(weight.name),
        cell(weight.scope),
        cell(formatExactBytes(weight.sizeBytes)),
        cell(weight.reason),
      ]),
    notes: hidden > 0 ? [`and ${formatExactBytes(hidden)} more, all in \`--json\``] : [],
  };
}

function listCell(examples: readonly string[], count: number): Cell {
  const [first = '–', ...more] = examples;
  const hidden = count - examples.length;
  const rest = hidden > 0 && examples.length > 0 ? [`and ${formatExactBytes(hidden)} more`] : [];
  return cell(first, 'plain', [...more, ...rest]);
}

function drawRemedy(remedy: string | null): Cell {
  return remedy === null ? cell('cannot be changed', 'faint') : cell(remedy);
}

function writeShare(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (100 * part) / whole;
  return part > 0 && percent < 0.05 ? '< 0.1 %' : writePercent(percent);
}
