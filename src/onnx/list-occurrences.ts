import { type ByteWindow, readField } from './wire-reader.js';

/** One field of a message in the source; offsets count from the file's beginning. */
export type Occurrence = {
  /** Its number's place in the list of those looked for. */
  readonly slot: number;
  /** Where its tag begins. */
  readonly offset: number;
  /** Where its content begins and ends. */
  readonly start: number;
  readonly end: number;
  /** Counts those of the same number from 0. */
  readonly index: number;
};

/** Some fields of a message in the source. */
export type Occurrences = {
  readonly inOrder: readonly Occurrence[];
  /** For each number that was looked for. */
  readonly bySlot: readonly (readonly Occurrence[])[];
};

/**
 * Lists the places of fields in a message.
 *
 * @param window - Over the source.
 * @param start - Where the message begins.
 * @param end - Where it ends.
 * @param numbers - Which fields.
 * @returns Each place of each of them.
 * @throws RangeError when the message was not scanned before and has none.
 */
export function listOccurrences(
  window: ByteWindow,
  start: number,
  end: number,
  numbers: readonly number[],
): Occurrences {
  const inOrder: Occurrence[] = [];
  const bySlot: Occurrence[][] = numbers.map(() => []);
  for (let offset = start; offset < end; ) {
    const wire = readField(window, offset, end);
    if ('problem' in wire) throw new RangeError(`no field at byte ${offset}`);
    const slot = numbers.indexOf(wire.number);
    const places = bySlot[slot];
    if (places !== undefined) {
      const occurrence = { slot, offset, start: wire.start, end: wire.end, index: places.length };
      places.push(occurrence);
      inOrder.push(occurrence);
    }
    offset = wire.end;
  }
  return { inOrder, bySlot };
}
