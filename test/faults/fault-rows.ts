import type { Fault, FaultRule } from '../services/fault.js';

type Row = { readonly times: number; readonly fault: (call: string) => Fault };

function refusal(status: number, code: string): Row['fault'] {
  return () => ({ kind: 'refuse', status, code });
}

/** What S3 says is not there depends on what was asked for. */
function missing(call: string): Fault {
  if (/^(part|complete|abort|list-parts)/.test(call))
    return { kind: 'refuse', status: 404, code: 'NoSuchUpload' };
  const code = /^(head|get)/.test(call) ? 'NoSuchKey' : 'NoSuchBucket';
  return { kind: 'refuse', status: 404, code };
}

const simple = (kind: Exclude<Fault['kind'], 'refuse' | 'error-in-200' | 'clock-ahead'>) => (): Fault => ({
  kind,
});
const hourMs = 60 * 60 * 1000;

/** The rows of the matrix: what goes wrong, and with how many of the requests. */
const rows: Readonly<Record<string, Row>> = {
  'reset before headers ×1': { times: 1, fault: simple('reset-before') },
  'reset before headers, always': { times: Infinity, fault: simple('reset-before') },
  'reset mid-request ×1': { times: 1, fault: simple('reset-in-request') },
  'reset mid-request, always': { times: Infinity, fault: simple('reset-in-request') },
  'reset mid-answer ×1': { times: 1, fault: simple('reset-in-answer') },
  'reset mid-answer, always': { times: Infinity, fault: simple('reset-in-answer') },
  'answer lost ×1': { times: 1, fault: simple('lose-answer') },
  'answer lost, always': { times: Infinity, fault: simple('lose-answer') },
  '500 ×1': { times: 1, fault: refusal(500, 'InternalError') },
  '500, always': { times: Infinity, fault: refusal(500, 'InternalError') },
  '503 ×2': { times: 2, fault: refusal(503, 'SlowDown') },
  '503 ×3': { times: 3, fault: refusal(503, 'SlowDown') },
  '403, always': { times: Infinity, fault: refusal(403, 'AccessDenied') },
  '404 ×1': { times: 1, fault: missing },
  '404, always': { times: Infinity, fault: missing },
  '200 with error ×1': { times: 1, fault: () => ({ kind: 'error-in-200', code: 'InternalError' }) },
  '200 with error, always': {
    times: Infinity,
    fault: () => ({ kind: 'error-in-200', code: 'InternalError' }),
  },
  'hang ×1': { times: 1, fault: simple('hang') },
  'hang, always': { times: Infinity, fault: simple('hang') },
  'hang mid-answer ×1': { times: 1, fault: simple('hang-in-answer') },
  'hang mid-answer, always': { times: Infinity, fault: simple('hang-in-answer') },
  'wrong checksum, always': { times: Infinity, fault: simple('wrong-checksum') },
  'wrong ETag, always': { times: Infinity, fault: simple('wrong-etag') },
  'wrong bytes sent ×1': { times: 1, fault: simple('damage-request') },
  'wrong bytes sent, always': { times: Infinity, fault: simple('damage-request') },
  'wrong bytes stored ×1': { times: 1, fault: simple('store-damaged') },
  'wrong bytes answered ×1': { times: 1, fault: simple('damage-answer') },
  'wrong bytes answered, always': { times: Infinity, fault: simple('damage-answer') },
  'clock 1 h ahead': { times: Infinity, fault: () => ({ kind: 'clock-ahead', aheadMs: hourMs }) },
};

/** A request of the matrix: which one it is. */
export type Column = Pick<FaultRule, 'call' | 'key' | 'after'>;

/** One cell of a matrix. */
export type MatrixCase = {
  readonly request: string;
  readonly fault: string;
  /** `ok`, or the code of the error. */
  readonly outcome: string;
  readonly rule: FaultRule;
};

/**
 * Reads a matrix of faults.
 *
 * @param table - Rows of cells between `|`; the first row names the requests, the first cell of each other the fault. A
 *   cell is `ok`, the code of the error, with or without `s3-`, or empty for a combination that does not occur.
 * @param columns - What the names in the first row mean.
 * @returns One case per cell.
 */
export function readMatrix(table: string, columns: Readonly<Record<string, Column>>): readonly MatrixCase[] {
  const [head = [], ...body] = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return body.flatMap(([fault = '', ...cells]) =>
    cells.flatMap((outcome, index) => {
      if (outcome === '') return [];
      const request = head[index + 1] ?? '';
      const [column, row] = [columns[request], rows[fault]];
      if (column === undefined || row === undefined) throw new Error(`no such cell: ${fault} | ${request}`);
      return [
        { request, fault, outcome, rule: { ...column, times: row.times, fault: row.fault(column.call) } },
      ];
    }),
  );
}

/**
 * Names the cases of a matrix for the test runner.
 *
 * @param cases - The cases.
 * @returns Each with its name before it.
 */
export function nameCases<T extends MatrixCase>(cases: readonly T[]): (readonly [string, T])[] {
  return cases.map((item) => [`${item.request} × ${item.fault} → ${item.outcome}`, item]);
}
