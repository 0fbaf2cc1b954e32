import pLimit from 'p-limit';

/** Requests for small things that are on their way at the same time. */
export const requestsAtOnce = 16;

/**
 * Works on many things, a few at a time; after the first error nothing more is begun.
 *
 * @param items - The things.
 * @param atOnce - How many at the same time, ≥ 1.
 * @param signal - Stops before the next one.
 * @param work - What is done with each.
 * @returns What came of each, in the order of the items.
 * @throws The first error, or the signal's reason.
 */
export async function workOnEach<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  signal: AbortSignal,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const limit = pLimit({ concurrency: atOnce, rejectOnClear: true });
  const begun = items.map((item) =>
    limit(() => {
      signal.throwIfAborted();
      return work(item);
    }),
  );
  try {
    return await Promise.all(begun);
  } finally {
    limit.clearQueue();
    // What was begun is at its end before the first error may end the process.
    await Promise.allSettled(begun);
  }
}
