const closers = new Set<() => void>();

/**
 * Takes note of how the connections of a kind of store are closed, once that kind is in use: what speaks to S3 is not
 * loaded just to close nothing.
 *
 * @param close - Closes those that no request uses; called any number of times.
 */
export function rememberCloser(close: () => void): void {
  closers.add(close);
}

/**
 * Closes all connections that no request uses, such as before a snapshot is taken of the process, in which they would be
 * found dead. The next request opens new ones. Those of `fetch` are not kept open in the first place where Lambda says
 * that it will take a snapshot.
 */
export function closeConnections(): void {
  for (const close of closers) close();
}
