import { OptimiseModelError } from '../../messages/error.js';
import type { RecordPlace } from './import-options.js';
import type { TraceRecord } from './lambda-record.js';
import {
  isJsonObject,
  type JsonObject,
  readNumber,
  readObject,
  readText,
  requireText,
} from './read-fields.js';

/** One segment or subsegment, with what it is part of. */
type Span = {
  readonly id: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly json: JsonObject;
};

/**
 * Reads one trace: per call of a function the segment `AWS::Lambda` (the service, from the call on), the segment
 * `AWS::Lambda::Function` with `Initialization`, `Restore` and `Invocation`, and the handler's own subsegments
 * `load_model`, `initial_inference` and `inference_N` (N further inferences together).
 *
 * @param trace - An item of `Traces`, or a segment's document by itself.
 * @param place - Where it stands.
 * @returns One record per function that was called; none for a trace without Lambda.
 * @throws `import-record-wrong` when a document is damaged or a segment is still in progress.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-xray.html `Dwell Time` and `Attempt #1` of asynchronous calls
 * @see https://docs.aws.amazon.com/xray/latest/devguide/xray-api-segmentdocuments.html
 */
export function parseTrace(trace: unknown, place: RecordPlace): readonly TraceRecord[] {
  const documents = listDocuments(trace, place);
  const spans = documents.flatMap((document) => listSpans(document, readText(document, 'parent_id')));
  const byId = new Map(spans.map((span) => [span.id, span]));
  const calls = spans.filter(({ json }) => json.origin === 'AWS::Lambda');
  const isOnly = calls.length === 1;
  return calls.map((call) =>
    readCall(
      call,
      spans.filter((span) => belongsTo(span, call, byId, isOnly)),
      place,
    ),
  );
}

function listDocuments(trace: unknown, place: RecordPlace): readonly JsonObject[] {
  if (!isJsonObject(trace)) return [];
  if (!Array.isArray(trace.Segments)) return [trace];
  return trace.Segments.flatMap((segment: unknown) => {
    const document = isJsonObject(segment) ? segment.Document : undefined;
    if (isJsonObject(document)) return [document];
    try {
      const parsed: unknown = JSON.parse(String(document));
      return isJsonObject(parsed) ? [parsed] : [];
    } catch (cause) {
      const facts = {
        ...place,
        field: 'Document',
        seen: String(document).slice(0, 60),
        expected: 'a segment as JSON',
      };
      throw OptimiseModelError.of('import-record-wrong', facts, cause);
    }
  });
}

function listSpans(json: JsonObject, parentId: string | null): readonly Span[] {
  const id = readText(json, 'id') ?? '';
  const inner = Array.isArray(json.subsegments) ? json.subsegments.filter(isJsonObject) : [];
  return [
    { id, parentId, name: readText(json, 'name') ?? '', json },
    ...inner.flatMap((each) => listSpans(each, id)),
  ];
}

function belongsTo(span: Span, call: Span, byId: ReadonlyMap<string, Span>, isOnly: boolean): boolean {
  const seen = new Set<string>();
  let top = span;
  for (
    let at: Span | undefined = span;
    at !== undefined && !seen.has(at.id);
    at = byId.get(at.parentId ?? '')
  ) {
    if (at.id === call.id) return true;
    // A function that this one calls has segments of its own.
    if (at.json.origin === 'AWS::Lambda') return false;
    seen.add(at.id);
    top = at;
  }
  return isOnly && top.json.origin === 'AWS::Lambda::Function';
}

function readCall(call: Span, spans: readonly Span[], place: RecordPlace): TraceRecord {
  const find = (name: string | RegExp) =>
    spans.find((span) => (typeof name === 'string' ? span.name === name : name.test(span.name)));
  const begin = (span: Span | undefined) =>
    span === undefined ? null : readNumber(span.json, 'start_time', place) * 1000;
  const end = (span: Span | undefined) =>
    span === undefined ? null : readNumber(span.json, 'end_time', place) * 1000;
  const length = (span: Span | undefined) =>
    span === undefined ? null : (end(span) ?? 0) - (begin(span) ?? 0);
  const load = find('load_model');
  const further = find(/^inference_\d+$/);
  const furtherMs = length(further);
  return {
    kind: 'trace',
    requestId: readText(readObject(call.json, 'aws'), 'request_id'),
    traceId: requireText(call.json, 'trace_id', place),
    functionName: call.name === '' ? null : call.name,
    // An event that waits in the queue of asynchronous calls is not being worked on yet.
    calledAtMs: begin(find('Attempt #1')) ?? readNumber(call.json, 'start_time', place) * 1000,
    initStartedAtMs: begin(find(/^Init(ialization)?$/)),
    restoredAtMs: end(find('Restore')),
    handlerStartedAtMs: begin(find('Invocation')),
    loadStartedAtMs: begin(load),
    loadMs: length(load),
    initialInferenceMs: length(find('initial_inference')),
    approxInferenceTimeMs:
      furtherMs === null ? null : furtherMs / Number(further?.name.slice('inference_'.length)),
  };
}
