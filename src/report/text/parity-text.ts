import type { ParityReport } from '../documents/parity-result.js';
import { describeBounds, describeEngines, describeOdd, tabulateParity } from '../tables/parity-table.js';
import { verdictCell } from '../tables/report-table.js';
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
  const namedBy = table.columns.findIndex(({ title }) => title === 'Output');
  const verdict = drawFacts(
    `Parity of ${result.candidate}`,
    [
      ['verdict', `${result.verdict}: ${result.reason}`, verdictCell(result.verdict).tone],
      ['reference', result.reference],
      ['bounds', describeBounds(result.bounds)],
      ['computed by', describeEngines(result.engines)],
    ],
    settings,
  );
  const outputs = {
    ...table,
    title: 'Outputs',
    // Of one candidate, and said above.
    columns: table.columns.slice(namedBy),
    rows: table.rows.map((row) => row.slice(namedBy)),
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
