import { originOf } from './edit-message.js';

/** How an edited list of messages came from the decoded one. */
export type ListMatch = {
  /** By place in the edited list: the place in the decoded list, -1 for a new element. */
  readonly origins: Int32Array;
  /** By place in the decoded list: 1 where the element is still there. */
  readonly isKept: Uint8Array;
  /** The last of those; -1 when there is none. */
  readonly lastKept: number;
};

/**
 * Finds for each element of an edited list the decoded one that it is or was made from.
 *
 * @param decoded - The list as it was decoded.
 * @param edited - The list as it is to be.
 * @returns Where each element comes from.
 */
export function matchList(decoded: readonly object[], edited: readonly object[]): ListMatch {
  const origins = new Int32Array(edited.length).fill(-1);
  const isKept = new Uint8Array(decoded.length);
  const find = finderIn(decoded);
  let lastKept = -1;
  for (const [index, element] of edited.entries()) {
    const place = find(originOf(element) ?? element);
    if (place === undefined) continue;
    origins[index] = place;
    isKept[place] = 1;
    lastKept = Math.max(lastKept, place);
  }
  return { origins, isKept, lastKept };
}

/** Most elements are where the one before was found plus one; the others are looked up. */
function finderIn(list: readonly object[]): (element: object | undefined) => number | undefined {
  let expected = 0;
  let places: Map<object, number> | undefined;
  return (element) => {
    if (element === undefined) return undefined;
    if (list[expected] !== element) {
      places ??= new Map(list.map((member, place) => [member, place] as const));
      const place = places.get(element);
      if (place === undefined) return undefined;
      expected = place;
    }
    expected += 1;
    return expected - 1;
  };
}

/**
 * Finds how many elements of the edited list are written at the next place that is kept: one that comes from the
 * decoded list, with the new ones that follow it; the first time also new ones before it.
 *
 * @param match - The lists.
 * @param from - How many are written already.
 * @returns How many are written after that place.
 */
export function endOfGroup({ origins }: ListMatch, from: number): number {
  let end = from;
  while (end < origins.length && origins[end] === -1) end += 1;
  end += 1;
  while (end < origins.length && origins[end] === -1) end += 1;
  return Math.min(end, origins.length);
}
