/** One piece of work that several callers want, done once. */
export type SharedLoad<T> = {
  /** Joins the load under way or done, or starts one; after a failure the next call tries again. */
  readonly get: () => Promise<T>;
  /** The load under way or done; undefined when none was started or the last one failed. */
  readonly peek: () => Promise<T> | undefined;
};

/**
 * Lets concurrent requests share one load and keeps no failure.
 *
 * @param load - The work.
 * @returns Access to its one result.
 */
export function shareLoad<T>(load: () => Promise<T>): SharedLoad<T> {
  let current: Promise<T> | undefined;
  return {
    get: () => {
      if (current !== undefined) return current;
      const attempt = load();
      current = attempt;
      attempt.catch(() => {
        current = undefined;
      });
      return attempt;
    },
    peek: () => current,
  };
}
