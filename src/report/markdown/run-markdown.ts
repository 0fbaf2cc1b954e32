import { markdownTable } from 'markdown-table';
import { startPhrases } from '../../lib/start-mode.js';
import type { RunView } from '../run-view.js';
import { tabulateConditions } from '../tables/bench/conditions-table.js';
import { describeGate } from '../tables/bench/gate-line.js';
import { splitByCache } from '../tables/bench/split-by-cache.js';
import { tabulateState } from '../tables/bench/state-tables.js';
import { tabulateVerdicts } from '../tables/budget-tables.js';
import { tabulateParity } from '../tables/parity-table.js';
import { listDoubts } from '../tables/pick-doubts.js';
import { tabulatePick } from '../tables/pick-table.js';
import type { Cell, ReportTable } from '../tables/report-table.js';
import {
  describeMoment,
  listProvenance,
  tabulateArtifacts,
  tabulateFindings,
  tabulateLeftOut,
  tabulateSteps,
} from '../tables/run-tables.js';
import { tabulateShipment } from '../tables/shipment-table.js';
import { tabulateStudy } from '../tables/study-table.js';
import { tabulateSweep } from '../tables/sweep-table.js';
import { tabulateTuning } from '../tables/tune-table.js';
import { capitalise } from '../tables/write-value.js';
import { escapeMarkdown } from './escape-markdown.js';

/**
 * Sums a run up as Markdown for a pull request: the pick first, details folded away.
 *
 * @param view - The run.
 * @returns GitHub-flavoured Markdown with a final newline.
 */
export function renderRunMarkdown(view: RunView): string {
  const { bench, pick, budgets } = view;
  const open = [
    ...(pick === null ? [] : [tabulatePick(pick)]),
    tabulateArtifacts(view),
    ...tabulateLeftOut(view.leftOut),
  ];
  const folded = [
    ...(pick === null || pick.shipment === null ? [] : [tabulateShipment(pick.shipment)]),
    ...view.tunes.map(tabulateTuning),
    ...view.sweeps.map(tabulateSweep),
    ...(view.parity.length === 0 ? [] : [tabulateParity(view.parity)]),
    ...(budgets === null ? [] : [tabulateVerdicts(budgets)]),
    ...(view.findings.length === 0 ? [] : [tabulateFindings(view.findings)]),
    tabulateSteps(view.steps),
  ];
  return `${[
    `## optimise-model: ${escapeMarkdown(view.name)}`,
    drawHeadline(view),
    ...drawGate(bench),
    ...open.map((table) => drawTitled('###', table)),
    ...(bench === null ? [] : drawBench(bench)),
    ...drawRealRuns(view),
    ...folded.map((table) => fold(table.title, drawTable(table))),
    fold('Provenance', drawProvenance(view)),
  ].join('\n\n')}\n`;
}

function drawHeadline(view: RunView): string {
  const { pick } = view;
  if (pick === null) return 'Nothing has been picked from this measurement yet.';
  const when = `${capitalise(describeMoment(view))}.`;
  if (pick.winner === null) return `**No candidate is left.** ${when}`;
  const { variantId, delivery, startMode, reason } = pick.winner;
  const doubts = listDoubts(pick);
  const warning = doubts.length === 0 ? '' : ` ⚠️ **${doubts.join(', ')}**`;
  return `**Ship \`${variantId}\` by \`${delivery}\`${startPhrases[startMode]}**${warning}: ${escapeMarkdown(reason)}. ${when}`;
}

/** In the order of the other reports; what explains the figures is folded away in its place. */
function drawBench(bench: NonNullable<RunView['bench']>): readonly string[] {
  const drawOpen = (table: ReportTable) => drawTitled('###', table);
  const drawFolded = (table: ReportTable) => fold(table.title, drawTable(table));
  return [
    ...splitByCache(bench).flatMap((group) => {
      const { totals, comparisons, limits, sources, phases } = tabulateState(group.bench);
      return [
        ...[totals, ...comparisons].map(drawOpen),
        ...limits.map(drawFolded),
        ...sources.map(drawOpen),
        drawFolded(phases),
      ];
    }),
    drawFolded(tabulateConditions(bench)),
  ];
}

function drawGate(bench: RunView['bench']): readonly string[] {
  if (bench === null || bench.baseline === null) return [];
  const { text, tone } = describeGate(bench.baseline);
  return [`${marks[tone] ?? ''}${escapeMarkdown(text)}.`];
}

function drawRealRuns({ bench, imported }: RunView): readonly string[] {
  const tables = tabulateStudy(bench, imported);
  return tables.length === 0 ? [] : ['### Real runs', ...tables.map((table) => drawTitled('####', table))];
}

function drawTitled(level: string, table: ReportTable): string {
  return `${level} ${escapeMarkdown(table.title)}\n\n${drawTable(table)}`;
}

function drawTable(table: ReportTable): string {
  const head = table.columns.map((column) => escapeMarkdown(column.title));
  const rows = table.rows.map((row) => row.map(drawCell));
  const align = table.columns.map((column) => column.align);
  const notes = table.notes.map((note) => escapeMarkdown(note)).join('<br>\n');
  return [...(rows.length === 0 ? [] : [markdownTable([head, ...rows], { align })]), notes]
    .filter((part) => part !== '')
    .join('\n\n');
}

const marks: Readonly<Record<string, string>> = { good: '✅ ', bad: '❌ ', warn: '⚠️ ' };

function drawCell({ text, tone, more }: Cell): string {
  const words = [text, ...more].map(escapeMarkdown).join('<br>');
  return tone === 'strong' ? `**${words}**` : `${marks[tone] ?? ''}${words}`;
}

function fold(title: string, content: string): string {
  return `<details>\n<summary>${escapeMarkdown(title)}</summary>\n\n${content}\n\n</details>`;
}

function drawProvenance(view: RunView): string {
  return listProvenance(view)
    .map(([name, value]) => `- ${escapeMarkdown(name)}: ${escapeMarkdown(value)}`)
    .join('\n');
}
