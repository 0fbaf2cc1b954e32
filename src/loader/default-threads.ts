import { availableParallelism } from 'node:os';

/**
 * Says how many threads a session gets when neither the caller nor the release says so.
 *
 * @returns Processors that this process may use, ≥ 1.
 */
export function defaultThreads(): number {
  return availableParallelism();
}
