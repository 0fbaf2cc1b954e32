import type { DoctorReport } from '../documents/run-result.js';
import { cell, columns } from '../tables/report-table.js';
import { drawTextTable, type TextSettings } from './draw-table.js';

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
