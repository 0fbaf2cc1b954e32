import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCsv } from '../../../src/bench/import/parse-csv.js';

const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;

describe('parseCsv', () => {
  it('reads back whatever was quoted, line breaks and quotes included', () => {
    const field = fc.string({
      unit: fc.constantFrom('a', '"', ',', '\n', '\r\n', '{', ' ', 'ä'),
      minLength: 1,
    });
    const rows = fc.array(fc.tuple(field, field), { minLength: 1 });
    fc.assert(
      fc.property(rows, fc.constantFrom('\n', '\r\n'), fc.boolean(), (cells, lineEnd, endsWithLineEnd) => {
        const lines = ['@timestamp,@message', ...cells.map((row) => row.map(quote).join(','))];
        const text = lines.join(lineEnd) + (endsWithLineEnd ? lineEnd : '');
        expect(parseCsv(text)).toEqual(
          cells.map(([first, second], index) => ({
            record: index + 2,
            fields: { '@timestamp': first, '@message': second },
          })),
        );
      }),
    );
  });

  it('reads fields without quotes, and gives missing ones as empty', () => {
    expect(parseCsv('a,b,c\n1,,x\n\n2\n').map(({ fields }) => fields)).toEqual([
      { a: '1', b: '', c: 'x' },
      { a: '2', b: '', c: '' },
    ]);
  });
});
