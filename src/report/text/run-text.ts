import type { RunView } from '../run-view.js';
import { tabulatePhases, tabulateTotals } from '../tables/bench-tables.js';
import { tabulateVerdicts } from '../tables/budget-tables.js';
import { tabulateParity } from '../tables/parity-table.js';
import { tabulatePick } from '../tables/pick-table.js';
import type { ReportTable } from '../tables/report-table.js';
import { describeMoment, tabulateArtifacts } from '../tables/run-tables.js';
import { capitalise } from '../tables/write-value.js';
import { drawTextTable, type TextSettings } from './draw-table.js';
import { renderPublishText } from './store-texts.js';

/**
 * Sums a run up for a terminal: artifacts, parity, budgets, benchmark, pick, release. Findings are not repeated: the
 * command line prints them by themselves.
 *
 * @param view - The run.
 * @param settings - Whether to colour.
 * @returns Lines within the width, without a final newline.
 */
export function renderRunText(view: RunView, settings: TextSettings): string {
  const tables: readonly ReportTable[] = [
    tabulateArtifacts(view),
    ...(view.parity.length === 0 ? [] : [tabulateParity(view.parity)]),
    ...(view.budgets === null ? [] : [tabulateVerdicts(view.budgets)]),
    ...(view.bench === null
      ? []
      : [
          tabulatePhases(view.bench),
          addNote(tabulateTotals(view.bench), `${capitalise(describeMoment(view))}.`),
        ]),
    ...(view.pick === null ? [] : [tabulatePick(view.pick)]),
  ];
  const release = view.publish === null ? [] : [renderPublishText(view.publish, settings)];
  return [...tables.map((table) => drawTextTable(table, settings)), ...release].join('\n\n');
}

function addNote(table: ReportTable, note: string): ReportTable {
  return { ...table, notes: [...table.notes, note] };
}
