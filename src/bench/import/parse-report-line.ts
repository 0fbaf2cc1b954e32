import { OptimiseModelError } from '../../messages/error.js';
import type { RecordPlace } from './import-options.js';
import type { ReportRecord } from './lambda-record.js';

const fieldPattern = /([A-Z][A-Za-z]*(?: [A-Z][A-Za-z]*)*): ([^\s]+)(?: (ms|MB))?/g;

/**
 * Reads the line with which Lambda ends every invocation when logs are plain text.
 *
 * @param message - The line, from `REPORT`; what follows on further lines may be part of it.
 * @param place - Where it stands.
 * @returns What it reports; "MB" of Lambda are MiB.
 * @throws `import-record-wrong` when a field that every such line has is missing.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs.html
 * @see https://docs.aws.amazon.com/lambda/latest/dg/snapstart-monitoring.html `Restore Duration`
 */
export function parseReportLine(message: string, place: RecordPlace): ReportRecord {
  const fields = new Map<string, string>();
  for (const [, name = '', value = ''] of message.slice('REPORT '.length).matchAll(fieldPattern)) {
    if (!fields.has(name)) fields.set(name, value);
  }
  const requestId = fields.get('RequestId');
  if (requestId === undefined) throw missing('RequestId', place);
  const status = fields.get('Status');
  // The emulator writes `Init Duration` before `Duration`, and in seconds.
  const names = [...fields.keys()];
  const isEmulated =
    fields.has('Init Duration') && names.indexOf('Init Duration') < names.indexOf('Duration');
  return {
    kind: 'report',
    requestId,
    traceId: fields.get('XRAY TraceId') ?? null,
    durationMs: requireField(fields, 'Duration', place),
    billedMs: readField(fields, 'Billed Duration', place),
    memoryMiB: requireField(fields, 'Memory Size', place),
    maxMemoryMiB: isEmulated ? null : readField(fields, 'Max Memory Used', place),
    initMs: isEmulated ? null : readField(fields, 'Init Duration', place),
    restoreMs: readField(fields, 'Restore Duration', place),
    failure: status === undefined || status === 'success' ? null : status,
    isEmulated,
  };
}

function readField(fields: ReadonlyMap<string, string>, name: string, place: RecordPlace): number | null {
  const text = fields.get(name);
  if (text === undefined) return null;
  const value = Number(text);
  if (Number.isFinite(value) && value >= 0) return value;
  throw OptimiseModelError.of('import-record-wrong', {
    ...place,
    field: name,
    seen: text.slice(0, 60),
    expected: 'a number of at least 0',
  });
}

function requireField(fields: ReadonlyMap<string, string>, name: string, place: RecordPlace): number {
  const value = readField(fields, name, place);
  if (value === null) throw missing(name, place);
  return value;
}

function missing(field: string, place: RecordPlace): OptimiseModelError {
  return OptimiseModelError.of('import-record-wrong', {
    ...place,
    field,
    seen: 'missing',
    expected: 'the field that every REPORT line of Lambda has',
  });
}
