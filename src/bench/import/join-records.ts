import { OptimiseModelError } from '../../messages/error.js';
import type { RecordPlace } from './import-options.js';
import type {
  ColdStartRecord,
  InitRecord,
  InvocationRecord,
  LambdaRecord,
  ReportRecord,
  TraceRecord,
} from './lambda-record.js';

/** A record with where it came from. */
export type PlacedRecord = {
  readonly place: RecordPlace;
  readonly stream: string;
  /** Of the log group or stream. */
  readonly functionName: string | null;
  readonly record: LambdaRecord;
};

/** Everything that was found of one invocation. */
export type JoinedInvocation = {
  readonly requestId: string;
  /** Of its first record. */
  readonly place: RecordPlace;
  readonly functionName: string | null;
  readonly report: ReportRecord | null;
  readonly invocation: InvocationRecord | null;
  readonly coldStart: ColdStartRecord | null;
  readonly trace: TraceRecord | null;
  /** How its process was started, if its log says so. */
  readonly init: InitRecord | null;
  readonly restoreMs: number | null;
};

type Draft = { -readonly [Key in keyof JoinedInvocation]: JoinedInvocation[Key] };

/** What a stream has said so far. */
type StreamState = {
  requestId: string | null;
  init: InitRecord | null;
  /** Of the restore that the next request waited for. */
  restoreMs: number | null;
  /** The loader's line, printed before the first request of the stream. */
  early: PlacedRecord | null;
};

/**
 * Puts the records of each invocation together: by request id, by trace id, and within one log stream by order, for
 * what is printed without either.
 *
 * @param records - In the order of each stream.
 * @returns One entry per request, in the order of their first records.
 * @throws `import-record-twice` when two records of one kind disagree about one request.
 */
export function joinRecords(records: readonly PlacedRecord[]): readonly JoinedInvocation[] {
  const drafts = new Map<string, Draft>();
  const streams = new Map<string, StreamState>();
  for (const item of records) {
    if (item.record.kind !== 'trace') addFromStream(item, drafts, streams);
  }
  const byTrace = new Map([...drafts.values()].map((draft) => [traceIdOf(draft), draft]));
  for (const item of records) {
    if (item.record.kind !== 'trace') continue;
    const known = item.record.requestId === null ? byTrace.get(item.record.traceId) : undefined;
    put(item, 'trace', item.record, known?.requestId ?? item.record.requestId ?? item.record.traceId, drafts);
  }
  return [...drafts.values()];
}

function addFromStream(
  item: PlacedRecord,
  drafts: Map<string, Draft>,
  streams: Map<string, StreamState>,
): void {
  const { record } = item;
  const state = streams.get(item.stream) ?? { requestId: null, init: null, restoreMs: null, early: null };
  streams.set(item.stream, state);
  if (record.kind === 'init') {
    state.init = { ...record, startMode: record.startMode ?? state.init?.startMode ?? null };
    state.restoreMs = record.restoreMs ?? state.restoreMs;
    return;
  }
  const own = record.kind === 'trace' ? null : record.requestId;
  const requestId = own ?? state.requestId;
  if (requestId === null) {
    state.early = item;
    return;
  }
  state.requestId = requestId;
  if (record.kind === 'report') put(item, 'report', record, requestId, drafts);
  if (record.kind === 'invocation') put(item, 'invocation', record, requestId, drafts);
  if (record.kind === 'cold-start') put(item, 'coldStart', record, requestId, drafts);
  if (state.early?.record.kind === 'cold-start') {
    put(state.early, 'coldStart', state.early.record, requestId, drafts);
    state.early = null;
  }
  const draft = drafts.get(requestId);
  if (draft === undefined) return;
  draft.init ??= state.init;
  draft.restoreMs ??= state.restoreMs;
  state.restoreMs = null;
  if (record.kind !== 'report') return;
  // What follows the report belongs to a request that is still to come, of the same process if the stream is one.
  state.requestId = null;
  if (item.stream !== item.place.file) state.init ??= readInit(record);
}

function readInit({ initMs, restoreMs }: ReportRecord): InitRecord | null {
  if (initMs === null && restoreMs === null) return null;
  const startMode = restoreMs === null ? 'on-demand' : 'snapstart';
  return { kind: 'init', startMode, functionName: null, restoreMs: null };
}

function put<Part extends 'report' | 'invocation' | 'coldStart' | 'trace'>(
  item: PlacedRecord,
  part: Part,
  record: NonNullable<JoinedInvocation[Part]>,
  requestId: string,
  drafts: Map<string, Draft>,
): void {
  const { place, functionName } = item;
  const draft: Draft = drafts.get(requestId) ?? {
    requestId,
    place,
    functionName: null,
    report: null,
    invocation: null,
    coldStart: null,
    trace: null,
    init: null,
    restoreMs: null,
  };
  drafts.set(requestId, draft);
  draft.functionName ??= functionName;
  const known = draft[part];
  // The loader logs a start once more when its process has been restored.
  if (
    record.kind === 'cold-start' &&
    known?.kind === 'cold-start' &&
    known.isRestored !== record.isRestored
  ) {
    if (known.isRestored) return;
  } else if (known !== null && JSON.stringify(known) !== JSON.stringify(record)) {
    throw OptimiseModelError.of('import-record-twice', { ...place, requestId, kind: record.kind });
  }
  Object.assign(draft, { [part]: record });
}

function traceIdOf(draft: Draft): string {
  return draft.report?.traceId ?? draft.invocation?.traceId ?? `request ${draft.requestId}`;
}
