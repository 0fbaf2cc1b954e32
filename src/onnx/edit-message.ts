/** Under it an edited message remembers the decoded message that it was made from. */
const origin = Symbol('origin');

type Edited<T> = T & { readonly [origin]?: T };

/**
 * Changes a message without touching the original, which stays what the file holds.
 *
 * The writer finds what to patch by comparing the two, so that nothing else of the record moves.
 *
 * @param message - A decoded message, or one edited before.
 * @param changes - New values by field; null takes a field away.
 * @returns A copy with the changes that remembers the decoded message.
 */
export function edit<T extends object>(message: T, changes: Partial<T>): T {
  return { ...message, ...changes, [origin]: originOf(message) ?? message };
}

/**
 * Finds the decoded message that an edited one was made from.
 *
 * @param message - Any message.
 * @returns The decoded message; undefined for one that was not edited.
 */
export function originOf<T extends object>(message: T): T | undefined {
  return (message as Edited<T>)[origin];
}
