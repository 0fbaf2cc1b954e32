import { OptimiseModelError } from '../../messages/error.js';
import type { RecordPlace } from './import-options.js';
import { type ColdStartRecord, type InvocationRecord, readStartMode } from './lambda-record.js';
import { readRoot } from './parse-platform-event.js';
import { type JsonObject, readNumber, readObject, readOptionalNumber, readText } from './read-fields.js';

/** `kind` of the line that a measured handler logs per invocation. */
export const invocationKind = 'optimise-model.invocation';
/** `kind` of the line that the loader logs per cold start. */
export const coldStartKind = 'optimise-model.cold-start';

/**
 * Reads the line that a measured handler logs once per invocation.
 *
 * @param line - The parsed line.
 * @param loggedRequestId - Of the log format, where the line itself has none.
 * @param place - Where it stands.
 * @returns Its figures; null for what the handler leaves to another source.
 * @throws `import-record-wrong`.
 */
export function parseInvocationLine(
  line: JsonObject,
  loggedRequestId: string | null,
  place: RecordPlace,
): InvocationRecord {
  const requestId = readText(line, 'requestId') ?? loggedRequestId;
  if (requestId === null) throw wrong('requestId', 'missing', 'the id of the request', place);
  if (typeof line.cold !== 'boolean') throw wrong('cold', show(line.cold), 'true or false', place);
  const number = (field: string) => readOptionalNumber(line, field, place);
  const inferenceCount = number('furtherInferences');
  const furtherMs = number('furtherInferencesMs');
  const hasFurther = inferenceCount !== null && inferenceCount > 0 && furtherMs !== null;
  return {
    kind: 'invocation',
    requestId,
    traceId: readRoot(readText(line, 'traceId')),
    functionName: readText(line, 'functionName'),
    memoryMiB: number('memoryMiB'),
    startMode: readStartMode(line.startMode),
    variantId: readText(line, 'variantId'),
    delivery: readText(line, 'delivery'),
    threads: number('threads'),
    isCold: line.cold,
    calledAtMs: number('calledAtMs'),
    processStartedAtMs: number('processStartedAtMs'),
    loadStartedAtMs: number('loadStartedAtMs'),
    loadMs: number('loadMs'),
    initialInferenceMs: number('initialInferenceMs'),
    approxInferenceTimeMs: hasFurther ? furtherMs / inferenceCount : null,
  };
}

/**
 * Reads the loader's line of a cold start.
 *
 * @param line - The parsed line.
 * @param loggedRequestId - Of the log format; null when it was printed outside a request.
 * @param place - Where it stands.
 * @returns Its figures.
 * @throws `import-record-wrong` when a phase of a start that went well is missing, but its `startMs`.
 */
export function parseColdStartLine(
  line: JsonObject,
  loggedRequestId: string | null,
  place: RecordPlace,
): ColdStartRecord {
  const phases = readObject(line, 'phases');
  const isReady = line.status === 'ready';
  const phase = (field: string) =>
    isReady ? readNumber(phases, field, place) : readOptionalNumber(phases, field, place);
  const [downloadMs, sessionMs] = [phase('downloadMs'), phase('sessionMs')];
  return {
    kind: 'cold-start',
    requestId: readText(line, 'requestId') ?? loggedRequestId,
    functionName: readText(line, 'functionName'),
    memoryMiB: readOptionalNumber(line, 'memoryMiB', place),
    startMode: readStartMode(line.startMode),
    variantId: readText(line, 'variantId'),
    delivery: readText(line, 'delivery'),
    threads: readOptionalNumber(line, 'threads', place),
    isRestored: line.restored === true,
    // The loader knows it of the first model of a process only.
    startMs: readOptionalNumber(phases, 'startMs', place),
    runtimeMs: phase('runtimeMs'),
    loadMs: downloadMs === null || sessionMs === null ? null : downloadMs + sessionMs,
    firstInferenceMs: phase('firstInferenceMs'),
    failure: isReady ? null : (readText(readObject(line, 'error'), 'code') ?? 'failed'),
  };
}

function show(value: unknown): string {
  return value === undefined ? 'missing' : JSON.stringify(value).slice(0, 60);
}

function wrong(field: string, seen: string, expected: string, place: RecordPlace): OptimiseModelError {
  return OptimiseModelError.of('import-record-wrong', { ...place, field, seen, expected });
}
