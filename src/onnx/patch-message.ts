import { isSameValue } from './compare-values.js';
import { originOf } from './edit-message.js';
import { addContent, addNewMessage, contentFields, encodeFields, type Message } from './encode-message.js';
import {
  type Field,
  isMessageKind,
  isPayloadField,
  knownFields,
  listFields,
  type MessageKind,
} from './known-fields.js';
import { endOfGroup, matchList } from './match-list.js';
import { addBytes, addMessage, addSource, type RopeDraft } from './rope-draft.js';
import { storedAt } from './stored-payload.js';
import { contentOf, type TensorContent } from './tensor-content.js';
import { type ByteWindow, readField, type WireField } from './wire-reader.js';

/** What patches are made of and added to. */
export type PatchWork = {
  readonly draft: RopeDraft;
  /** Over the source. */
  readonly window: ByteWindow;
};

/** A message of the source, and what it is to be. */
export type Patch = {
  readonly kind: MessageKind;
  /** Where its content is in the source. */
  readonly start: number;
  readonly end: number;
  readonly decoded: Message;
  readonly next: Message;
};

/** One field of the source; `offset` is where its tag begins, `index` counts those of the same number from 0. */
type Occurrence = WireField & { readonly offset: number; readonly index: number };

/** Adds what comes to the place of an occurrence; without one, what comes to the end of the message. */
type Change = (at: Occurrence | undefined) => void;

/**
 * Adds the content of a message as it is to be: fields that did not change are copied with tag and length, unknown ones
 * among them, and stay where they are.
 *
 * @param work - What it is added to.
 * @param patch - The message.
 */
export function addPatched(work: PatchWork, patch: Patch): void {
  const { draft } = work;
  const { start, end, decoded, next } = patch;
  const numbers = decoded === next ? [] : listChanged(patch);
  if (numbers.length === 0) {
    addSource(draft, start, end);
    return;
  }
  const occurrences = listOccurrences(work.window, patch, numbers);
  const changes = planChanges(work, patch, occurrences);
  let at = start;
  for (const occurrence of [...occurrences.values()].flat().sort(byOffset)) {
    addSource(draft, at, occurrence.offset);
    changes.get(occurrence.number)?.(occurrence);
    at = occurrence.end;
  }
  addSource(draft, at, end);
  for (const [number, places] of occurrences) if (places.length === 0) changes.get(number)?.(undefined);
}

function byOffset(left: Occurrence, right: Occurrence): number {
  return left.offset - right.offset;
}

/** Numbers of the fields that differ, in order; new content of a tensor stands for all fields that may hold it. */
function listChanged({ kind, decoded, next }: Patch): readonly number[] {
  const hasContent = kind === 'TensorProto' && contentOf(next) !== undefined;
  const numbers: number[] = [];
  for (const [number, field] of listFields(kind)) {
    const isContent = hasContent && contentFields.has(number);
    if (isContent || isChanged(field, own(decoded, field), own(next, field))) numbers.push(number);
  }
  const isStored = kind === 'TensorProto' && storedAt(decoded) !== undefined && !hasContent;
  if (isStored && numbers.some((number) => isPayloadField(kind, number))) {
    throw new TypeError('the elements of a tensor that are not in memory are replaced with withContent');
  }
  return numbers;
}

/** The prototypes of decoded messages hold defaults, which no file says. */
function own(message: Message, { name }: Field): unknown {
  return Object.hasOwn(message, name) ? (message[name] ?? undefined) : undefined;
}

function listOf(value: unknown): readonly Message[] {
  return Array.isArray(value) ? value : [];
}

function isChanged({ kind, isList }: Field, before: unknown, after: unknown): boolean {
  if (before === after) return false;
  if (!isList) return isMessageKind(kind) || !isSameValue(before, after);
  const [old, now] = [listOf(before), listOf(after)];
  if (!isMessageKind(kind)) return !isSameValue(old, now);
  return old.length !== now.length || old.some((element, index) => element !== now[index]);
}

function listOccurrences(
  window: ByteWindow,
  { start, end }: Patch,
  numbers: readonly number[],
): Map<number, Occurrence[]> {
  const found = new Map(numbers.map((number) => [number, [] as Occurrence[]] as const));
  for (let offset = start; offset < end; ) {
    const wire = readField(window, offset, end);
    if ('problem' in wire) throw new RangeError(`no field at byte ${offset}`);
    const places = found.get(wire.number);
    places?.push({ ...wire, offset, index: places.length });
    offset = wire.end;
  }
  return found;
}

function planChanges(
  work: PatchWork,
  patch: Patch,
  occurrences: ReadonlyMap<number, readonly Occurrence[]>,
): Map<number, Change> {
  const content = patch.kind === 'TensorProto' ? contentOf(patch.next) : undefined;
  const changes = new Map<number, Change>();
  const fill = content && changeContent(work, content);
  for (const [number, places] of occurrences) {
    const isContent = fill !== undefined && contentFields.has(number);
    changes.set(number, isContent ? fill : planChange(work, patch, number, places));
  }
  return changes;
}

function changeContent({ draft }: PatchWork, content: TensorContent): Change {
  let isWritten = false;
  return () => {
    if (!isWritten) addContent(draft, content);
    isWritten = true;
  };
}

function planChange(work: PatchWork, patch: Patch, number: number, places: readonly Occurrence[]): Change {
  const { kind, decoded, next } = patch;
  const field = knownFields[kind][number];
  if (field === undefined) throw new TypeError(`field ${number} of ${kind}`);
  const after = own(next, field);
  if (!isMessageKind(field.kind)) {
    const place = field.isList ? places[0] : places.at(-1);
    return (at) => {
      if (at === place && after !== undefined) {
        addBytes(work.draft, encodeFields(kind, { [field.name]: after }));
      }
    };
  }
  const child: Child = { parent: kind, number, kind: field.kind };
  if (field.isList) {
    return changeList(work, child, listOf(own(decoded, field)), listOf(after), places);
  }
  const messages = {
    before: own(decoded, field) as Message | undefined,
    after: after as Message | undefined,
  };
  return changeMessage(work, child, messages, places.at(-1));
}

/** A message in another. */
type Child = { readonly parent: MessageKind; readonly number: number; readonly kind: MessageKind };

/** Of several occurrences onnx-proto sees the last; other readers merge them, so the others stay where it is edited. */
function changeMessage(
  work: PatchWork,
  child: Child,
  { before, after }: { before: Message | undefined; after: Message | undefined },
  last: Occurrence | undefined,
): Change {
  return (at) => {
    if (after === undefined) return;
    if (at === last) addChild(work, child, last, before, after);
    else if (at !== undefined && before !== undefined && isFrom(before, after)) {
      addSource(work.draft, at.offset, at.end);
    }
  };
}

function changeList(
  work: PatchWork,
  child: Child,
  decoded: readonly Message[],
  next: readonly Message[],
  places: readonly Occurrence[],
): Change {
  if (places.length !== decoded.length) throw new TypeError(`field ${child.number} of ${child.parent}`);
  const match = matchList(decoded, next);
  let done = 0;
  return (at) => {
    const isLast = at === undefined || at.index === Math.max(match.lastKept, 0);
    const end = isLast ? next.length : match.kept.has(at.index) ? endOfGroup(match, done) : done;
    for (; done < end; done += 1) {
      const origin = match.origins[done] ?? -1;
      const message = next[done];
      if (message !== undefined) addChild(work, child, places[origin], decoded[origin], message);
    }
  };
}

/** Without a place and a message that it was made from there, the message is new. */
function addChild(
  work: PatchWork,
  { parent, number, kind }: Child,
  place: Occurrence | undefined,
  decoded: Message | undefined,
  next: Message,
): void {
  const { draft, window } = work;
  if (place === undefined || decoded === undefined || !isFrom(decoded, next)) {
    addNewMessage(draft, parent, number, next);
    return;
  }
  const { start, end } = place;
  const length = endOfVarint(window, place.offset);
  addSource(draft, place.offset, length);
  addMessage(draft, { start: length, end: start, sizeBytes: end - start }, () =>
    addPatched(work, { kind, start, end, decoded, next }),
  );
}

function isFrom(decoded: Message, next: Message): boolean {
  return next === decoded || originOf(next) === decoded;
}

function endOfVarint(window: ByteWindow, offset: number): number {
  if (offset < window.start || offset + 5 > window.end) window.seek(offset, 5);
  let end = offset;
  while ((window.bytes[end - window.start] ?? 0) >= 0x80) end += 1;
  return end + 1;
}
