import { isSameValue } from './compare-values.js';
import type { Message } from './encode-message.js';
import { type Field, listFields, type MessageKind } from './known-fields.js';
import { storedAt } from './stored-payload.js';
import { contentOf } from './tensor-content.js';
import { contentFields, isPayloadField } from './tensor-fields.js';

/**
 * Lists the fields in which an edited message differs from the decoded one; new content of a tensor stands for all
 * fields that may hold it.
 *
 * @param kind - The message.
 * @param decoded - As it was decoded.
 * @param next - As it is to be.
 * @returns Their numbers, in order; messages that were edited may turn out to be the same.
 * @throws TypeError when elements that are not in memory are replaced without `withContent`.
 */
export function listChanged(kind: MessageKind, decoded: Message, next: Message): readonly number[] {
  const isTensor = kind === 'TensorProto';
  const hasContent = isTensor && contentOf(next) !== undefined;
  const numbers: number[] = [];
  for (const [number, field] of listFields(kind)) {
    // What no prototype has by default is the file's own on both sides, or on none.
    if (!hasContent && decoded[field.name] && decoded[field.name] === next[field.name]) continue;
    const isContent = hasContent && contentFields.has(number);
    if (isContent || isChanged(field, ownValue(decoded, field), ownValue(next, field))) numbers.push(number);
  }
  const isStored = isTensor && !hasContent && storedAt(decoded) !== undefined;
  if (isStored && numbers.some((number) => isPayloadField(kind, number))) {
    throw new TypeError('the elements of a tensor that are not in memory are replaced with withContent');
  }
  return numbers;
}

/**
 * Looks a field of a message up; the prototypes of decoded messages hold defaults, which no file says.
 *
 * @param message - The message.
 * @param field - The field.
 * @returns Its own value; undefined when there is none.
 */
export function ownValue(message: Message, { name }: Field): unknown {
  return Object.hasOwn(message, name) ? (message[name] ?? undefined) : undefined;
}

/**
 * Takes the value of a list field.
 *
 * @param value - What {@link ownValue} gave.
 * @returns The list; an empty one for none.
 */
export function listOf<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? value : [];
}

function isChanged({ isList, isMessage }: Field, before: unknown, after: unknown): boolean {
  if (before === after) return false;
  if (!isList) return isMessage || !isSameValue(before, after);
  const old = listOf(before);
  const now = listOf(after);
  if (!isMessage) return !isSameValue(old, now);
  return old.length !== now.length || old.some((element, index) => element !== now[index]);
}
