import { listChanged, listOf, ownValue } from './changed-fields.js';
import { originOf } from './edit-message.js';
import { addContent, addNewMessage, encodeFields, type Message } from './encode-message.js';
import { knownFields, type MessageKind } from './known-fields.js';
import { listOccurrences, type Occurrence, type Occurrences } from './list-occurrences.js';
import { endOfGroup, matchList } from './match-list.js';
import { addBytes, addMessage, addSource, type RopeDraft } from './rope-draft.js';
import { contentOf, type TensorContent } from './tensor-content.js';
import { contentFields } from './tensor-fields.js';
import { type ByteWindow, endOfVarint } from './wire-reader.js';

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
  const { draft, window } = work;
  const { kind, start, end, decoded, next } = patch;
  const numbers = decoded === next ? [] : listChanged(kind, decoded, next);
  if (numbers.length === 0) {
    addSource(draft, start, end);
    return;
  }
  const { inOrder, bySlot } = listOccurrences(window, start, end, numbers);
  const changes = planChanges(work, patch, numbers, bySlot);
  let at = start;
  for (const occurrence of inOrder) {
    addSource(draft, at, occurrence.offset);
    changes[occurrence.slot]?.(occurrence);
    at = occurrence.end;
  }
  addSource(draft, at, end);
  for (const [slot, change] of changes.entries()) if (bySlot[slot]?.length === 0) change(undefined);
}

function planChanges(
  work: PatchWork,
  patch: Patch,
  numbers: readonly number[],
  bySlot: Occurrences['bySlot'],
): Change[] {
  const content = patch.kind === 'TensorProto' ? contentOf(patch.next) : undefined;
  const fill = content && changeContent(work, content);
  return numbers.map((number, slot) => {
    const isContent = fill !== undefined && contentFields.has(number);
    return isContent ? fill : planChange(work, patch, number, bySlot[slot] ?? []);
  });
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
  if (field === undefined) throw new TypeError(`${kind} has no field ${number}`);
  const before = ownValue(decoded, field);
  const after = ownValue(next, field);
  if (field.isMessage) {
    const child = { parent: kind, number, kind: field.kind };
    return field.isList
      ? changeList(work, child, places, listOf(before), listOf(after))
      : changeMessage(work, child, places, before as Message | undefined, after as Message | undefined);
  }
  const place = field.isList ? places[0] : places.at(-1);
  const bytes = after === undefined ? undefined : encodeFields(kind, { [field.name]: after });
  return (at) => {
    if (at === place && bytes !== undefined) addBytes(work.draft, bytes);
  };
}

/** Which message in another one. */
type Child = { readonly parent: MessageKind; readonly number: number; readonly kind: MessageKind };

/** Of several occurrences onnx-proto sees the last; other readers merge them, so the others stay where it is edited. */
function changeMessage(
  work: PatchWork,
  child: Child,
  places: readonly Occurrence[],
  before: Message | undefined,
  after: Message | undefined,
): Change {
  const last = places.at(-1);
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
  places: readonly Occurrence[],
  decoded: readonly Message[],
  next: readonly Message[],
): Change {
  if (places.length !== decoded.length) throw new TypeError(`field ${child.number} of ${child.parent}`);
  const match = matchList(decoded, next);
  let done = 0;
  return (at) => {
    const isLast = at === undefined || at.index === Math.max(match.lastKept, 0);
    const end = isLast ? next.length : match.isKept[at.index] === 1 ? endOfGroup(match, done) : done;
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
  const { offset, start, end } = place;
  if (next === decoded) addSource(draft, offset, end);
  else {
    const head = { offset, lengthOffset: endOfVarint(window, offset), start, end };
    addMessage(draft, head, () => addPatched(work, { kind, start, end, decoded, next }));
  }
}

function isFrom(decoded: Message, next: Message): boolean {
  return next === decoded || originOf(next) === decoded;
}
