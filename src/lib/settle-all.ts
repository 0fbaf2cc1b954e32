/**
 * Waits for several pieces of work, also when one fails: as `Promise.all`, but nothing is under way any more when it throws.
 *
 * @param work - What is under way.
 * @throws What the first one in the list that failed was rejected with.
 */
export async function settleAll(work: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(work)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}
