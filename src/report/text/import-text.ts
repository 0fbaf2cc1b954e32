import { deliveries } from '../../lib/delivery.js';
import type { BenchReport } from '../documents/bench-result.js';
import type { ImportReport } from '../documents/import-result.js';
import { tabulateStarts, tabulateStudyMetrics } from '../tables/import-tables.js';
import { tabulateStudy } from '../tables/study-table.js';
import { drawTextTable, type TextSettings } from './draw-table.js';

/**
 * Shows imported runs for a terminal: both tables, one of the same metrics beside a benchmark if there is one, then what to
 * put into the pipeline file.
 *
 * @param result - Imported runs.
 * @param bench - What they are set beside; null for nothing.
 * @param settings - Whether to colour, and how wide.
 * @returns Lines without a final newline.
 */
export function renderImportText(
  result: ImportReport,
  bench: BenchReport | null,
  settings: TextSettings,
): string {
  const beside = bench === null ? [] : tabulateStudy(bench, [result]);
  const tables = [tabulateStudyMetrics(result), tabulateStarts(result), ...beside];
  const drawn = tables.map((table) => drawTextTable(table, settings));
  const snippet = writeEnvironment(result.environments);
  return [...drawn, ...(snippet === '' ? [] : [snippet])].join('\n\n');
}

type Environment = ImportReport['environments'][number];

/**
 * Writes `bench.environment` for the pipeline file: per delivery the figure that rests on most cold starts, the others
 * as comments.
 *
 * @param environments - One per cold row.
 * @returns YAML without a final newline; empty without figures.
 */
export function writeEnvironment(environments: readonly Environment[]): string {
  if (environments.length === 0) return '';
  const used = new Set(deliveries.flatMap((delivery) => chooseEnvironment(environments, delivery)));
  const lines = environments.map((item) => {
    const { delivery, ms, source } = item;
    const entry = `${delivery ?? 'DELIVERY'}: { ms: ${ms}, source: '${source.replaceAll("'", "''")}' }`;
    return { isUsed: used.has(item), text: used.has(item) ? `    ${entry}` : `    # ${entry}` };
  });
  const sorted = [...lines.filter(({ isUsed }) => isUsed), ...lines.filter(({ isUsed }) => !isUsed)];
  const head = '# For the pipeline file: what passes before the process exists.';
  const open = used.size === 0 ? '  environment: {}' : '  environment:';
  return [head, 'bench:', open, ...sorted.map(({ text }) => text)].join('\n');
}

/** A pipeline measures processes that are started on demand: figures of other start modes are no choice for it. */
function chooseEnvironment(environments: readonly Environment[], delivery: string): readonly Environment[] {
  return environments
    .filter((each) => each.delivery === delivery && each.startMode === 'on-demand')
    .sort((left, right) => right.count - left.count)
    .slice(0, 1);
}
