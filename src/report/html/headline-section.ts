import { cacheTitles } from '../../lib/cache-state.js';
import { findComparedRow } from '../../lib/compared-row.js';
import { formatBytes, formatMs } from '../../lib/format-quantity.js';
import { formatValue } from '../../lib/format-value.js';
import { nameObjective } from '../../lib/objective.js';
import { startPhrases } from '../../lib/start-mode.js';
import type { RunView } from '../run-view.js';
import { addEnvironment } from '../tables/add-environment.js';
import { listDoubts } from '../tables/pick-doubts.js';
import { capitalise, countOf, writePercent } from '../tables/write-value.js';
import { drawWords, escapeHtml } from './escape-html.js';

type Tile = { readonly name: string; readonly value: string; readonly note: string };

/**
 * Draws what a reader wants to know first: what is shipped, why, and its main figures.
 *
 * @param view - The run.
 * @returns HTML of one section.
 */
export function drawHeadline(view: RunView): string {
  const winner = view.pick?.winner ?? null;
  if (winner === null) {
    const words =
      view.pick === null ? 'Nothing has been picked from this measurement yet.' : 'No candidate is left.';
    return `<section class="headline none"><h2>${words}</h2></section>`;
  }
  const tiles = listTiles(view, winner.variantId, winner.delivery).map(
    ({ name, value, note }) =>
      `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}<small>${escapeHtml(note)}</small></dd></div>`,
  );
  const doubts = view.pick === null ? [] : listDoubts(view.pick);
  const warning = doubts.length === 0 ? [] : [`<p class="warn">⚠ ${escapeHtml(doubts.join(', '))}</p>`];
  return [
    `<section class="headline${doubts.length === 0 ? '' : ' doubtful'}" aria-label="What to ship">`,
    `<h2>Ship ${escapeHtml(winner.variantId)} by ${escapeHtml(winner.delivery)}${startPhrases[winner.startMode]}</h2>`,
    ...warning,
    `<p class="soft">${drawWords(winner.reason)}</p>`,
    `<dl class="tiles">${tiles.join('\n')}</dl>`,
    '</section>',
  ].join('\n');
}

function listTiles(view: RunView, variantId: string, delivery: string): readonly Tile[] {
  const variant = view.variants.find((item) => item.id === variantId);
  const parity = view.parity.find((item) => item.variantId === variantId);
  const isSame = (row: { variantId: string; delivery: string }) =>
    row.variantId === variantId && row.delivery === delivery;
  const bench = view.bench === null ? undefined : findComparedRow(view.bench, variantId, delivery)?.row;
  const budget = view.budgets?.rows.find(isSame);
  const binding = budget?.lines.find(
    (line) => line.budget === (copied.includes(delivery) ? 'ephemeral' : 'unzipped'),
  );
  const total = bench === undefined ? null : addEnvironment(bench.phases.totalMs, bench.environment);
  const steady = bench?.phases.steadyMs ?? null;
  const share = variant === undefined ? 0 : (100 * variant.sizeBytes) / view.model.sizeBytes;
  return [
    ...drawTotal(view.pick, total, bench === undefined ? '' : cacheTitles[bench.cache]),
    ...(steady === null ? [] : [tile('Per inference', formatMs(steady.median), 'steady state')]),
    ...(variant === undefined
      ? []
      : [tile('Size', formatBytes(variant.sizeBytes), `${writePercent(share)} of the source`)]),
    ...(parity === undefined
      ? []
      : [
          tile(
            'Parity',
            parity.verdict,
            `${countOf(parity.outputs.filter((output) => output.status !== 'skipped').length, 'output')} compared`,
          ),
        ]),
    ...(binding === undefined
      ? []
      : [
          tile(
            'Budget',
            writePercent(binding.percent),
            `of ${formatBytes(binding.limitBytes)} ${binding.budget}`,
          ),
        ]),
  ];
}

/** A benchmark has no row of another start mode than on demand: there the value that was chosen by stands for it. */
function drawTotal(
  pick: RunView['pick'],
  total: { readonly median: number } | null,
  state: string,
): readonly Tile[] {
  const winner = pick?.winner ?? null;
  if (pick === null || winner === null) return [];
  const { startMode, value, unit } = winner;
  if (startMode === 'on-demand') return total === null ? [] : [tile('Total', formatMs(total.median), state)];
  const name = capitalise(nameObjective(pick.objective));
  return [tile(name, formatValue(value, unit), startPhrases[startMode].trim())];
}

/** What fills ephemeral storage, where it fits or not; the rest counts against the package. */
const copied: readonly string[] = ['s3-copy', 'url', 'stream', 'mount'];

function tile(name: string, value: string, note: string): Tile {
  return { name, value, note };
}
