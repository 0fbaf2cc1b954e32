/**
 * Waits for something no longer than a given time.
 *
 * @param work - What is waited for; it goes on when its time is up.
 * @param patienceMs - How long.
 * @returns What `work` came to.
 * @throws The error of {@link silenceOf}; what `work` throws.
 */
async function awaitAtMost<T>(work: Promise<T>, patienceMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(silenceOf(patienceMs)), patienceMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Makes the error of a server that is silent, in the shape in which `fetch` reports a connection that broke.
 *
 * @param patienceMs - How long it was waited for.
 * @returns The error.
 */
export function silenceOf(patienceMs: number): Error {
  const cause = new Error(`it sent nothing for ${patienceMs / 1000} s`);
  return new TypeError('the server is silent', { cause });
}

/**
 * Reads a body as long as it keeps coming. The time that the reader takes with a chunk does not count.
 *
 * @param body - The body of an answer.
 * @param idleMs - How long nothing may come.
 * @returns Its chunks; the connection is let go when reading ends, however it does.
 * @throws The error of {@link silenceOf}; what the body throws.
 */
export async function* readPatiently(
  body: ReadableStream<Uint8Array>,
  idleMs: number,
): AsyncIterable<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await awaitAtMost(reader.read(), idleMs);
      if (done) return;
      yield value;
    }
  } finally {
    // A body that broke says so a second time.
    await reader.cancel().catch(() => undefined);
  }
}
