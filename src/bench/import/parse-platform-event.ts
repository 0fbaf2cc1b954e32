import type { RecordPlace } from './import-options.js';
import { type LambdaRecord, readStartMode } from './lambda-record.js';
import {
  type JsonObject,
  readNumber,
  readObject,
  readOptionalNumber,
  readText,
  requireText,
} from './read-fields.js';

const goodStatus = 'success';

/**
 * Reads a system event of Lambda's JSON log format, which is the same as that of its Telemetry API.
 *
 * @param event - The parsed line, with `type` and `record`.
 * @param place - Where it stands.
 * @returns What it says; null for an event that says nothing of time.
 * @throws `import-record-wrong` when a report lacks a field.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html
 */
export function parsePlatformEvent(event: JsonObject, place: RecordPlace): LambdaRecord | null {
  const record = readObject(event, 'record');
  switch (event.type) {
    case 'platform.start':
      return { kind: 'start', requestId: requireText(record, 'requestId', place) };
    case 'platform.report':
      return parseReport(record, place);
    case 'platform.initStart':
    case 'platform.initReport':
      return {
        kind: 'init',
        startMode: readStartMode(record.initializationType),
        functionName: readText(record, 'functionName'),
        restoreMs: null,
      };
    case 'platform.restoreStart':
    case 'platform.restoreReport':
      return {
        kind: 'init',
        startMode: 'snapstart',
        functionName: readText(record, 'functionName'),
        restoreMs: readOptionalNumber(readObject(record, 'metrics'), 'durationMs', place),
      };
    default:
      return null;
  }
}

function parseReport(record: JsonObject, place: RecordPlace): LambdaRecord {
  const metrics = readObject(record, 'metrics');
  const status = readText(record, 'status');
  return {
    kind: 'report',
    requestId: requireText(record, 'requestId', place),
    traceId: readRoot(readText(readObject(record, 'tracing'), 'value')),
    durationMs: readNumber(metrics, 'durationMs', place),
    billedMs: readOptionalNumber(metrics, 'billedDurationMs', place),
    memoryMiB: readNumber(metrics, 'memorySizeMB', place),
    maxMemoryMiB: readOptionalNumber(metrics, 'maxMemoryUsedMB', place),
    initMs: readOptionalNumber(metrics, 'initDurationMs', place),
    restoreMs: readOptionalNumber(metrics, 'restoreDurationMs', place),
    failure: status === null || status === goodStatus ? null : status,
    isEmulated: false,
  };
}

/**
 * Takes the trace's id out of a tracing header.
 *
 * @param header - Such as `Root=1-62e900b2-…;Parent=…;Sampled=1`, or the id alone.
 * @returns The id; null without one.
 * @see https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader
 */
export function readRoot(header: string | null): string | null {
  return /\b1-[0-9a-f]{8}-[0-9a-f]{24}\b/.exec(header ?? '')?.[0] ?? null;
}
