import { formatBytes, formatExactBytes } from '../../lib/format-quantity.js';
import type { ConvertReport } from '../documents/convert-result.js';
import { cell, columns } from '../tables/report-table.js';
import { countOf, writeMeasure, writePercent } from '../tables/write-value.js';
import { drawFacts } from './draw-facts.js';
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
      [
        'weights',
        `${countOf(weights.storedAsFp16, 'weight')} stored as FP16, ${formatBytes(weights.fp16Bytes)}`,
      ],
      [
        'rounding',
        `${weights.lossless} of them exact, largest relative error ${writeMeasure(weights.maxRelativeError)}`,
      ],
      ['kept FP32', countOf(weights.keptFp32.length, 'weight')],
      [
        'nodes',
        `${result.nodesFp16} of ${result.nodesTotal} in FP16, ${countOf(result.castsAdded, 'Cast')} added`,
      ],
      ...(result.record === null ? [] : ([['digest', result.record.digest]] as const)),
    ],
    settings,
  );
  return weights.keptFp32.length === 0 ? facts : `${facts}\n\n${drawKept(result, settings)}`;
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
