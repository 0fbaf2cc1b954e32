/**
 * Reads a comma-separated table as CloudWatch Logs Insights writes it: a field that holds a comma, a quote or a line
 * break stands in double quotes, and a quote in it is doubled.
 *
 * @param text - The file.
 * @returns One object per row after the first, by the names of the first; `record` counts lines of the table from 1.
 * @see https://www.rfc-editor.org/rfc/rfc4180
 */
export function parseCsv(text: string): readonly { readonly record: number; readonly fields: CsvFields }[] {
  const [names = [], ...rows] = splitRows(text);
  return rows
    .map((row, index) => ({
      record: index + 2,
      fields: Object.fromEntries(names.map((name, column) => [name, row[column] ?? ''])),
    }))
    .filter(({ fields }) => Object.values(fields).some((value) => value !== ''));
}

type CsvFields = Readonly<Record<string, string>>;

const cell = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/gy;

function splitRows(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = '', end = ''] of text.matchAll(cell)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
