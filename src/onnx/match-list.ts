import { originOf } from './edit-message.js';

/** How an edited list of messages came from the decoded one. */
export type ListMatch = {
  /** By place in the edited list: the place in the decoded list, -1 for a new element. */
  readonly origins: Int32Array;
  /** Places in the decoded list whose element is still there, in order. */
  readonly kept: ReadonlySet<number>;
  /** The last of them; -1 when there is none. */
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
  const places = new Map(decoded.map((element, place) => [element, place] as const));
  const origins = Int32Array.from(
    edited,
    (element) => places.get(element) ?? places.get(originOf(element) ?? element) ?? -1,
  );
  const kept = new Set(origins);
  kept.delete(-1);
  let lastKept = -1;
  for (const place of kept) lastKept = Math.max(lastKept, place);
  return { origins, kept, lastKept };
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
