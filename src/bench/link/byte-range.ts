import type { ByteRange } from '../../store/store.js';

/**
 * Reads an HTTP `Range` header, as far as one range goes.
 *
 * @param header - The header's value, or undefined when the request has none.
 * @param sizeBytes - Size of the object, bytes.
 * @returns The range to send; `whole` for no header or one that is not understood, as HTTP wants it;
 *   `unsatisfiable` when it asks for bytes that the object does not have.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-14.2
 */
export function parseByteRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | 'whole' | 'unsatisfiable' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  const [first, last] = [match?.[1] ?? '', match?.[2] ?? ''];
  if (first === '' && last === '') return 'whole';
  const offset = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes);
  return offset < end ? { offset, length: end - offset } : 'unsatisfiable';
}
