import { OptimiseModelError } from '../../messages/error.js';
import type { RecordPlace } from './import-options.js';
import type { LambdaRecord } from './lambda-record.js';
import { coldStartKind, invocationKind, parseColdStartLine, parseInvocationLine } from './parse-own-line.js';
import { parsePlatformEvent } from './parse-platform-event.js';
import { parseReportLine } from './parse-report-line.js';
import { isJsonObject, type JsonObject, readText } from './read-fields.js';

/** `console.log` of the Node.js runtime: time, request id, level and text, with tabs between. */
const nodePrefix = /^\d{4}-\d\d-\d\dT[\d:.]+Z\t([^\t]+)\t[A-Z]+\t/;
const startLine = /^START RequestId: (\S+)/;

/**
 * Understands one log event.
 *
 * @param message - What was logged, one event of any kind.
 * @param place - Where it stands.
 * @returns What it says of an invocation; null for anything else that a function may log.
 * @throws `import-record-wrong` when a record of a kind that is read is damaged or lacks a field.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html
 */
export function parseMessage(message: string, place: RecordPlace): LambdaRecord | null {
  const start = startLine.exec(message)?.[1];
  if (start !== undefined) return { kind: 'start', requestId: start };
  if (message.startsWith('REPORT RequestId:')) return parseReportLine(message, place);
  const prefix = nodePrefix.exec(message);
  const text = message.slice(prefix?.[0].length ?? 0).trim();
  if (!text.startsWith('{')) return null;
  const value = parseJson(text, place);
  return isJsonObject(value) ? parseObject(value, knownId(prefix?.[1]), place) : null;
}

function parseObject(value: JsonObject, requestId: string | null, place: RecordPlace): LambdaRecord | null {
  if (value.kind === invocationKind) return parseInvocationLine(value, requestId, place);
  if (value.kind === coldStartKind) return parseColdStartLine(value, requestId, place);
  if (typeof value.type === 'string' && value.type.startsWith('platform.')) {
    return parsePlatformEvent(value, place);
  }
  // Lambda's JSON log format wraps what was logged.
  const { message } = value;
  const inner = typeof message === 'string' && message.startsWith('{') ? parseJson(message, place) : message;
  return isJsonObject(inner) ? parseObject(inner, readText(value, 'requestId') ?? requestId, place) : null;
}

function parseJson(text: string, place: RecordPlace): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const isOurs = text.includes(invocationKind) || text.includes(coldStartKind);
    if (!isOurs && !text.includes('"platform.')) return null;
    const facts = { ...place, field: 'the whole line', seen: text.slice(0, 60), expected: 'JSON' };
    throw OptimiseModelError.of('import-record-wrong', facts, cause);
  }
}

function knownId(requestId: string | undefined): string | null {
  return requestId === undefined || requestId === 'undefined' ? null : requestId;
}
