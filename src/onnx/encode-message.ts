import { encodeTag, encodeVarint } from './encode-varint.js';
import { type Field, knownFields, listFields, type MessageKind } from './known-fields.js';
import { type Piece, pieceBytes } from './piece.js';
import { codecOf, type TensorProto } from './proto.js';
import { addBytes, addMessage, addRange, addSource, type RopeDraft } from './rope-draft.js';
import { storedAt } from './stored-payload.js';
import { contentOf, type TensorContent } from './tensor-content.js';
import { contentFields, mayHoldTensors, payloadFields } from './tensor-fields.js';

/** A message whose kind is known at run time only. */
export type Message = Readonly<Record<string, unknown>>;

/**
 * Encodes fields of a message.
 *
 * @param kind - The message.
 * @param fields - Their values by property; tensors in them hold their elements themselves.
 * @returns The bytes, tags included.
 */
export function encodeFields(kind: MessageKind, fields: Message): Uint8Array {
  refuseBigInts(kind, fields);
  return codecOf[kind].encode(fields).finish();
}

/** As a bigint, onnx-proto would write any number as 0 without a word; whole numbers are `number` or `Long`. */
function refuseBigInts(kind: MessageKind, message: Message): void {
  for (const [, { name, kind: held, isMessage }] of listFields(kind)) {
    const value = message[name];
    if (isMessage) for (const inner of messagesIn(value)) refuseBigInts(held, inner);
    else if (typeof value === 'bigint' || (Array.isArray(value) && value.some(isBigInt))) {
      throw new TypeError(`${name} of ${kind} cannot be written as a bigint`);
    }
  }
}

function isBigInt(value: unknown): boolean {
  return typeof value === 'bigint';
}

/**
 * Adds one new message as a field of another.
 *
 * Of messages in it that were decoded, fields that onnx-proto does not know are lost: edit a message to keep them.
 *
 * @param draft - What it is added to.
 * @param parent - The kind of the message that it is in.
 * @param number - The number of the field.
 * @param message - The message.
 */
export function addNewMessage(draft: RopeDraft, parent: MessageKind, number: number, message: Message): void {
  const field = knownFields[parent][number];
  if (field?.isMessage !== true) throw new TypeError(`field ${number} of ${parent} holds no message`);
  const { kind, name, isList } = field;
  if (!hasElsewhere(kind, message)) {
    addBytes(draft, encodeFields(parent, { [name]: isList ? [message] : message }));
    return;
  }
  addMessage(draft, number, () => {
    if (kind === 'TensorProto') addNewTensor(draft, message);
    else addNewContent(draft, kind, message);
  });
}

/** Whether the elements of a tensor in a message are not in the message itself. */
function hasElsewhere(kind: MessageKind, message: Message): boolean {
  if (kind === 'TensorProto') return storedAt(message) !== undefined || contentOf(message) !== undefined;
  return listFields(kind).some(([, field]) => hasElsewhereIn(field, message));
}

function hasElsewhereIn({ name, kind, isMessage }: Field, message: Message): boolean {
  if (!isMessage || !mayHoldTensors(kind)) return false;
  return messagesIn(message[name]).some((inner) => hasElsewhere(kind, inner));
}

function messagesIn(value: unknown): readonly Message[] {
  if (Array.isArray(value)) return value as Message[];
  return typeof value === 'object' && value !== null ? [value as Message] : [];
}

function addNewContent(draft: RopeDraft, kind: MessageKind, message: Message): void {
  const plain = { ...message };
  const fields = listFields(kind).filter(([, field]) => hasElsewhereIn(field, message));
  for (const [, { name }] of fields) plain[name] = null;
  addBytes(draft, encodeFields(kind, plain));
  for (const [number, { name }] of fields) {
    for (const inner of messagesIn(message[name])) addNewMessage(draft, kind, number, inner);
  }
}

function addNewTensor(draft: RopeDraft, tensor: TensorProto): void {
  const content = contentOf(tensor);
  const stored = storedAt(tensor);
  if (content !== undefined) {
    addBytes(draft, encodeFields('TensorProto', withoutContent(tensor)));
    addContent(draft, content);
  } else {
    addBytes(draft, encodeFields('TensorProto', tensor as Message));
    if (stored === undefined) return;
    addBytes(draft, encodeTag(stored.field));
    addBytes(draft, encodeVarint(stored.sizeBytes));
    addSource(draft, stored.offset, stored.offset + stored.sizeBytes);
  }
}

function withoutContent(tensor: TensorProto): Message {
  const plain: Record<string, unknown> = { ...tensor };
  for (const number of contentFields) plain[knownFields.TensorProto[number]?.name ?? ''] = null;
  return plain;
}

/**
 * Adds the fields that say what a tensor holds.
 *
 * @param draft - What they are added to, inside the tensor.
 * @param content - What it is to hold.
 */
export function addContent(draft: RopeDraft, content: TensorContent): void {
  if (content.kind === 'external') {
    const externalData = [
      { key: 'location', value: content.location },
      { key: 'offset', value: String(content.offset) },
      { key: 'length', value: String(content.sizeBytes) },
    ];
    addBytes(draft, encodeFields('TensorProto', { externalData, dataLocation: 1 }));
    return;
  }
  const piece: Piece = content;
  const sizeBytes = pieceBytes(piece);
  addBytes(draft, encodeTag(payloadFields.raw));
  addBytes(draft, encodeVarint(sizeBytes));
  if (content.kind === 'bytes') addBytes(draft, content.bytes);
  else addRange(draft, content.range, content.form, sizeBytes);
}
