import { paintText } from '../../lib/paint-text.js';
import type { BenchReport } from '../documents/bench-result.js';
import type { CheckReport } from '../documents/check-result.js';
import type { ParityReport } from '../documents/parity-result.js';
import type { PickReport } from '../documents/pick-result.js';
import type { DoctorReport } from '../documents/run-result.js';
import { tabulatePhases, tabulateTotals } from '../tables/bench-tables.js';
import { describePack, tabulateBudgets, tabulatePack, tabulateVerdicts } from '../tables/budget-tables.js';
import { describeBounds, describeOdd, tabulateParity } from '../tables/parity-table.js';
import { tabulatePick } from '../tables/pick-table.js';
import { cell, columns, verdictCell } from '../tables/report-table.js';
import { drawFacts } from './draw-facts.js';
import { drawTextTable, type TextSettings } from './draw-table.js';

/**
 * Says how two models compare, for a terminal.
 *
 * @param result - The parity result.
 * @param settings - Whether to colour.
 * @returns Lines without a final newline.
 */
export function renderParityText(result: ParityReport, settings: TextSettings): string {
  const table = tabulateParity([result]);
  const verdict = drawFacts(
    `Parity of ${result.candidate}`,
    [
      ['verdict', `${result.verdict}: ${result.reason}`, verdictCell(result.verdict).tone],
      ['reference', result.reference],
      ['bounds', describeBounds(result.bounds)],
      ['runtime', `onnxruntime ${result.runtimeVersion}`],
    ],
    settings,
  );
  const outputs = {
    ...table,
    title: 'Outputs',
    columns: table.columns.slice(1),
    rows: table.rows.map((row) => row.slice(1)),
    notes: result.outputs.flatMap((output) => [...describeOdd(output), ...addReason(output, result)]),
  };
  return `${verdict}\n\n${drawTextTable(outputs, settings)}`;
}

/** The verdict quotes the outputs that decided it, and what is within the bounds has its figures in the table. */
function addReason(
  { name, status, reason }: ParityReport['outputs'][number],
  result: ParityReport,
): readonly string[] {
  const isSaid = status === 'within' || status === 'equal' || result.reason.includes(reason);
  return isSaid ? [] : [`${name}: ${reason}`];
}

/**
 * Says what fits where, for a terminal: the verdicts first, then what they rest on, line by line and file by file.
 *
 * @param result - The checked budgets.
 * @param settings - Whether to colour, how wide.
 * @returns Lines without a final newline.
 */
export function renderCheckText(result: CheckReport, settings: TextSettings): string {
  const { runtimePack } = result;
  const detail = [tabulateBudgets(result), tabulatePack(runtimePack)];
  const [verdicts, ...tables] = [tabulateVerdicts(result), ...detail].map((table) =>
    drawTextTable(table, settings),
  );
  const pack = `Runtime pack ${runtimePack.version}, counted in every row: ${describePack(runtimePack)}.`;
  return [`${verdicts}\n${paintText(pack, 'faint', settings.colour)}`, ...tables].join('\n\n');
}

/**
 * Says how fast everything started, for a terminal.
 *
 * @param result - The benchmark.
 * @param settings - Whether to colour.
 * @returns Lines without a final newline.
 */
export function renderBenchText(result: BenchReport, settings: TextSettings): string {
  return [tabulatePhases(result), tabulateTotals(result)]
    .map((table) => drawTextTable(table, settings))
    .join('\n\n');
}

/**
 * Says what to ship and why the others lost, for a terminal.
 *
 * @param result - The choice.
 * @param settings - Whether to colour.
 * @returns Lines without a final newline.
 */
export function renderPickText(result: PickReport, settings: TextSettings): string {
  return drawTextTable(tabulatePick(result), settings);
}

/**
 * Says what this machine offers, for a terminal.
 *
 * @param result - Sections of name, value, note.
 * @param settings - Whether to colour.
 * @returns Lines without a final newline.
 */
export function renderDoctorText(result: DoctorReport, settings: TextSettings): string {
  return result.sections
    .map(({ title, rows }) =>
      drawTextTable(
        {
          title,
          columns: columns('What', '~Found', '~Note'),
          rows: rows.map(({ name, value, note }) => [cell(name), cell(value), cell(note, 'faint')]),
          notes: [],
        },
        settings,
      ),
    )
    .join('\n\n');
}
