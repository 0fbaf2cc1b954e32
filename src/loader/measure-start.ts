/**
 * As long as Lambda lets a process initialise itself. What is opened first later than that is opened by a call: how long the
 * process has been idle before is no part of its start.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html#runtimes-lifecycle-ib
 */
const longestStartMs = 10_000;

let isEntered = false;

/**
 * Measures from the start of the process to the loader's entry: when it is entered for the first time, and early enough
 * for the process to be starting still.
 *
 * @param nowMs - Time since the process started, milliseconds.
 * @returns The same; null for a second model, for a new try, and for what a call opens long after the start. A call within
 *   10 seconds of the start, such as the first one of a process that was provisioned just then, cannot be told apart.
 */
export function measureStart(nowMs: number): number | null {
  const isFirst = !isEntered;
  isEntered = true;
  return isFirst && nowMs <= longestStartMs ? nowMs : null;
}
