/** How long a write on its way may still be answered after a stop, ms. */
const stopPatienceMs = 5_000;

/** How long looking again and cleaning up after a failure may take, ms. */
export const cleanUpMs = 15_000;

/**
 * Works with a signal that follows another one a little later. A write that is given up half-way may still arrive after
 * what cleans up behind it, so a small one is given the time to be answered.
 *
 * @param signal - What asks to stop.
 * @param work - Gets the later signal, with the same reason.
 * @returns What the work returns.
 * @throws What the work throws.
 */
export async function delayStop<Result>(
  signal: AbortSignal,
  work: (late: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    timer = setTimeout(() => late.abort(signal.reason), stopPatienceMs);
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await work(late.signal);
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(timer);
  }
}
