import { nameObjective } from '../../lib/objective.js';
import { type Charts, drawCharts } from '../charts/draw-charts.js';
import type { RunView } from '../run-view.js';
import { splitByCache } from '../tables/bench/split-by-cache.js';
import { tabulateBudgets, tabulateCounted, tabulateVerdicts } from '../tables/budget-tables.js';
import { tabulatePackFiles, tabulatePacks } from '../tables/pack-tables.js';
import { tabulateParity } from '../tables/parity-table.js';
import { tabulatePick } from '../tables/pick-table.js';
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
import { drawBenchSections } from './bench-section.js';
import { drawHtmlTable } from './draw-html-table.js';
import { escapeHtml } from './escape-html.js';
import { drawHeadline } from './headline-section.js';
import { pageStyle } from './page-style.js';
import { drawSessionSections } from './session-sections.js';

/**
 * Draws a run as one self-contained page: no scripts, nothing loaded from elsewhere, light and dark.
 *
 * @param view - The run.
 * @returns An HTML document.
 */
export async function renderRunHtml(view: RunView): Promise<string> {
  const charts = await drawStates(view.bench);
  const sessions = await drawSessionSections(view);
  const title = `${view.name}: optimise-model report`;
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    // Nothing on the page may run or load, whatever a name in it contains.
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escapeHtml(title)}</title>`,
    `<style>${pageStyle}</style>`,
    '</head>',
    '<body>',
    '<main>',
    ...drawSections(view, charts, sessions),
    `<footer>Written by optimise-model ${escapeHtml(view.toolVersion)}</footer>`,
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function drawStates(bench: RunView['bench']): Promise<readonly (Charts | null)[]> {
  const groups = bench === null ? [] : splitByCache(bench);
  return Promise.all(groups.map((group) => drawCharts(group.bench)));
}

function drawSections(
  view: RunView,
  charts: readonly (Charts | null)[],
  sessions: readonly string[],
): readonly string[] {
  const { pick, bench, budgets, parity } = view;
  return [
    drawHeader(view),
    drawHeadline(view),
    ...(bench === null ? [] : drawBenchSections(bench, charts)),
    ...drawRealRuns(view),
    ...sessions,
    ...drawPick(pick),
    ...(parity.length === 0
      ? []
      : [drawSection('parity', 'Parity', [drawHtmlTable(tabulateParity(parity))])]),
    ...(budgets === null
      ? []
      : [
          drawSection('budgets', 'Size budgets', [
            drawHtmlTable(tabulateVerdicts(budgets)),
            fold('Line by line, with limits and what is left', drawHtmlTable(tabulateBudgets(budgets))),
            fold('What was counted', drawHtmlTable(tabulateCounted(budgets))),
            drawHtmlTable(tabulatePacks(budgets.runtimePacks)),
            fold(
              'The runtime packs, file by file',
              tabulatePackFiles(budgets.runtimePacks).map(drawHtmlTable).join('\n'),
            ),
          ]),
        ]),
    drawSection('artifacts', 'Artifacts', [drawHtmlTable(tabulateArtifacts(view))]),
    ...tabulateLeftOut(view.leftOut).map((table) =>
      drawSection('left-out', table.title, [drawHtmlTable(table)]),
    ),
    drawSection('findings', 'Findings', [drawHtmlTable(tabulateFindings(view.findings))]),
    drawSection('steps', 'Steps', [drawHtmlTable(tabulateSteps(view.steps))]),
    drawSection('provenance', 'Provenance', [drawProvenance(view)]),
  ];
}

function drawPick(pick: RunView['pick']): readonly string[] {
  if (pick === null) return [];
  const { objective, shipment } = pick;
  const deployed =
    shipment === null ? [] : [fold('What is deployed', drawHtmlTable(tabulateShipment(shipment)))];
  return [
    drawSection('pick', `Pick by ${nameObjective(objective)}`, [
      drawHtmlTable(tabulatePick(pick)),
      ...deployed,
    ]),
  ];
}

function drawRealRuns({ bench, imported }: RunView): readonly string[] {
  const tables = tabulateStudy(bench, imported);
  return tables.length === 0 ? [] : [drawSection('real-runs', 'Real runs', tables.map(drawHtmlTable))];
}

function drawHeader(view: RunView): string {
  const words = `${view.model.path} · ${describeMoment(view)}`;
  return `<header><h1>${escapeHtml(view.name)}</h1><p class="soft">${escapeHtml(words)}</p></header>`;
}

function drawSection(id: string, title: string, parts: readonly string[]): string {
  return [
    `<section class="titled" aria-labelledby="${id}">`,
    `<h2 id="${id}">${escapeHtml(title)}</h2>`,
    ...parts,
    '</section>',
  ].join('\n');
}

function fold(title: string, content: string): string {
  return `<details><summary>${escapeHtml(title)}</summary>\n${content}\n</details>`;
}

function drawProvenance(view: RunView): string {
  const facts = listProvenance(view).map(
    ([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`,
  );
  return `<dl class="facts">${facts.join('\n')}</dl>`;
}
