import { paintText } from '../../lib/paint-text.js';
import type { RunView } from '../run-view.js';
import { tabulateVerdicts } from '../tables/budget-tables.js';
import { tabulateParity } from '../tables/parity-table.js';
import { tabulatePick } from '../tables/pick-table.js';
import type { ReportTable } from '../tables/report-table.js';
import { describeMoment, tabulateArtifacts, tabulateLeftOut } from '../tables/run-tables.js';
import { tabulateStudy } from '../tables/study-table.js';
import { capitalise } from '../tables/write-value.js';
import { renderBenchText } from './bench-text.js';
import { drawTextTable, type TextSettings } from './draw-table.js';
import { renderPublishText } from './store-texts.js';
import { renderSweepText } from './sweep-text.js';
import { renderTuneText } from './tune-text.js';

/**
 * Sums a run up for a terminal: artifacts, parity, budgets, benchmark, pick, release. Findings are not repeated: the
 * command line prints them by themselves.
 *
 * @param view - The run.
 * @param settings - Whether to colour.
 * @returns Lines within the width, without a final newline.
 */
export function renderRunText(view: RunView, settings: TextSettings): string {
  const draw = (tables: readonly ReportTable[]) => tables.map((table) => drawTextTable(table, settings));
  const before = [
    tabulateArtifacts(view),
    ...tabulateLeftOut(view.leftOut),
    ...(view.parity.length === 0 ? [] : [tabulateParity(view.parity)]),
    ...(view.budgets === null ? [] : [tabulateVerdicts(view.budgets)]),
  ];
  const bench = view.bench === null ? [] : [drawBench(view.bench, view, settings)];
  const tunes = view.tunes.map((tune) => renderTuneText(tune, settings));
  const sweeps = view.sweeps.map((sweep) => renderSweepText(sweep, settings));
  const real = draw(tabulateStudy(view.bench, view.imported));
  const pick = view.pick === null ? [] : [tabulatePick(view.pick)];
  const release = view.publish === null ? [] : [renderPublishText(view.publish, settings)];
  return [...draw(before), ...tunes, ...bench, ...sweeps, ...real, ...draw(pick), ...release].join('\n\n');
}

function drawBench(bench: NonNullable<RunView['bench']>, view: RunView, settings: TextSettings): string {
  const moment = paintText(`${capitalise(describeMoment(view))}.`, 'faint', settings.colour);
  return `${renderBenchText(bench, settings)}\n${moment}`;
}
