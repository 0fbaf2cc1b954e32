/**
 * Lets the command do its work to the end when whoever reads its output has gone, as `head` does: what is still written
 * then is lost, and the exit code is that of the work.
 *
 * @param streams - The streams that others read; any other error of theirs stays one.
 */
export function outliveReaders(streams: readonly NodeJS.WritableStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
