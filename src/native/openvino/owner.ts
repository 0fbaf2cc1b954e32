import type { Handle } from './c-types.js';

/** Whatever must be given back when something is done with, or failed halfway. */
export type Owner = {
  /** Takes an object of OpenVINO's over. */
  readonly own: (handle: Handle, free: (handle: Handle) => void) => Handle;
  /** Keeps memory of JavaScript's from being collected, as long as OpenVINO has its address. */
  readonly keep: (memory: object) => void;
  /** Frees everything in reverse order, whatever of it fails, and throws the first failure; then there is nothing. */
  readonly free: () => void;
  /** Whether everything was freed. */
  readonly isDone: () => boolean;
};

let liveHandleCount = 0;

/**
 * Counts the objects of OpenVINO's that this process has not freed.
 *
 * @returns How many there are.
 */
export function countLiveHandles(): number {
  return liveHandleCount;
}

/**
 * Makes an owner of nothing yet.
 *
 * @returns The owner; who makes it frees it.
 */
export function makeOwner(): Owner {
  const frees: (() => void)[] = [];
  const kept: object[] = [];
  let isDone = false;
  return {
    own: (handle, free) => {
      liveHandleCount++;
      frees.push(() => {
        free(handle);
        liveHandleCount--;
      });
      return handle;
    },
    keep: (memory) => {
      kept.push(memory);
    },
    free: () => {
      isDone = true;
      const failures = frees.splice(0).reverse().flatMap(failureOf);
      kept.length = 0;
      if (failures.length > 0) throw failures[0];
    },
    isDone: () => isDone,
  };
}

function failureOf(free: () => void): readonly unknown[] {
  try {
    free();
    return [];
  } catch (error) {
    return [error];
  }
}

/**
 * Does something with an owner that lasts no longer.
 *
 * @param work - The work; what it owns is freed when it has returned or thrown.
 * @returns What it returned.
 * @throws What it threw.
 */
export function withOwner<Result>(work: (owner: Owner) => Result): Result {
  const owner = makeOwner();
  try {
    return work(owner);
  } finally {
    owner.free();
  }
}
