import { OptimiseModelError } from '../../messages/error.js';
import type { LogEvent } from './lambda-record.js';
import { parseCsv } from './parse-csv.js';
import { isJsonObject, type JsonObject, readText } from './read-fields.js';

/** What a file holds: log events, or traces as X-Ray gives them. */
export type ExportContent =
  | { readonly events: readonly LogEvent[] }
  | { readonly traces: readonly unknown[] };

const groupPattern = /(?:^|:)\/aws\/lambda\/([^\s:]+)$/;
/** A group that functions share has `yyyy/mm/dd/NAME[VERSION]…` as its streams. */
const streamPattern = /^\d{4}\/\d\d\/\d\d\/([^[\]/]+)\[[^\]]+\]/;
/** `aws logs tail` and export tasks put the time, and the former the stream, before each event. */
const linePrefix =
  /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d) +(?:(\d{4}\/\d\d\/\d\d\/\S*\[[^\]]+\][0-9a-f]+) +)?/;

/**
 * Takes an export apart: text (console, `aws logs tail`, export tasks), `aws logs filter-log-events` and
 * `get-log-events`, results of CloudWatch Logs Insights (`get-query-results`, JSON and CSV of the console), and
 * `aws xray batch-get-traces`.
 *
 * @param text - The file.
 * @param file - Its name, for messages and as the stream of what names none.
 * @returns Its log events, or its traces.
 * @throws `import-file-wrong` when it is JSON or CSV of a shape that is not known.
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilteredLogEvent.html
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetQueryResults.html
 * @see https://docs.aws.amazon.com/xray/latest/api/API_BatchGetTraces.html
 */
export function splitEvents(text: string, file: string): ExportContent {
  const body = text.replace(/^\uFEFF/, '');
  const document = parseDocument(body, file);
  if (document !== null) {
    const content = readDocument(document, file);
    if (content !== null) return content;
  }
  const [head = ''] = body.split(/\r?\n/, 1);
  if (/^"?@\w+"?(,|$)/.test(head)) return { events: readRows(parseCsv(body), file) };
  return { events: splitLines(body, file) };
}

function parseDocument(body: string, file: string): unknown {
  const trimmed = body.trim();
  if (!/^[[{]/.test(trimmed)) return null;
  try {
    return JSON.parse(trimmed);
  } catch (cause) {
    // Lines that are JSON each are no document of their own.
    if (isJson(trimmed.split(/\r?\n/, 1)[0] ?? '')) return null;
    if (!/^\[\s*[\]{["\d]|^{\s*["}]/.test(trimmed)) return null;
    throw OptimiseModelError.of(
      'import-file-wrong',
      { file, seen: 'JSON that ends early or is damaged', expected: expectedShapes },
      cause,
    );
  }
}

const expectedShapes =
  '`aws logs filter-log-events`, `aws logs get-query-results`, `aws xray batch-get-traces`, lines of text, or CSV with a column @message';

function readDocument(document: unknown, file: string): ExportContent | null {
  if (Array.isArray(document)) return readArray(document, file);
  if (!isJsonObject(document)) return null;
  if (Array.isArray(document.Traces)) return { traces: document.Traces };
  if (Array.isArray(document.events))
    return { events: document.events.map((event, index) => readEvent(event, file, index)) };
  if (Array.isArray(document.results)) return { events: readRows(document.results.map(readResult), file) };
  // A segment by itself; any other object may be a log file of one line.
  return typeof document.trace_id === 'string' ? { traces: [document] } : null;
}

function readArray(items: readonly unknown[], file: string): ExportContent {
  if (items.every((item) => isJsonObject(item) && typeof item.trace_id === 'string')) {
    return { traces: [{ Segments: items.map((item) => ({ Document: item })) }] };
  }
  return {
    events: readRows(
      items.map((item, index) => ({ record: index + 1, fields: isJsonObject(item) ? item : {} })),
      file,
    ),
  };
}

type Row = { readonly record: number; readonly fields: JsonObject };

function readResult(result: unknown, index: number): Row {
  const pairs = Array.isArray(result) ? result.filter(isJsonObject) : [];
  return {
    record: index + 1,
    fields: Object.fromEntries(pairs.map(({ field, value }) => [String(field), value])),
  };
}

function readRows(rows: readonly Row[], file: string): readonly LogEvent[] {
  return rows.map(({ record, fields }) => {
    // The JSON of the console keeps a message that is JSON as an object.
    const message = isJsonObject(fields['@message'])
      ? JSON.stringify(fields['@message'])
      : readText(fields, '@message');
    if (message === null) {
      const seen = `a record without @message (record ${record})`;
      throw OptimiseModelError.of('import-file-wrong', { file, seen, expected: expectedShapes });
    }
    const stream = readText(fields, '@logStream');
    const functionName = nameOf(readText(fields, '@log'), stream);
    return { place: { file, record }, stream: stream ?? file, functionName, message: message.trim() };
  });
}

function readEvent(event: unknown, file: string, index: number): LogEvent {
  const fields = isJsonObject(event) ? event : {};
  const message = readText(fields, 'message');
  if (message === null) {
    const seen = `an event without a message (record ${index + 1})`;
    throw OptimiseModelError.of('import-file-wrong', { file, seen, expected: expectedShapes });
  }
  const stream = readText(fields, 'logStreamName');
  const functionName = nameOf(readText(fields, 'logGroupName'), stream);
  return {
    place: { file, record: index + 1 },
    stream: stream ?? file,
    functionName,
    message: message.trim(),
  };
}

function splitLines(body: string, file: string): readonly LogEvent[] {
  return body.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '') return [];
    const prefix = linePrefix.exec(line);
    const stream = prefix?.[1] ?? null;
    const message = line.slice(prefix?.[0].length ?? 0).trim();
    return [
      {
        place: { file, record: index + 1 },
        stream: stream ?? file,
        functionName: nameOf(null, stream),
        message,
      },
    ];
  });
}

function nameOf(group: string | null, stream: string | null): string | null {
  return groupPattern.exec(group ?? '')?.[1] ?? streamPattern.exec(stream ?? '')?.[1] ?? null;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
