import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { HashJob } from './hash-thread.js';

const readBytes = 1 << 20;
const buffer = Buffer.allocUnsafeSlow(readBytes);

/** Reads behind the front until the file is whole; undefined when the job was given up. */
function followFile({ descriptor, sizeBytes, front }: HashJob): string | undefined {
  const hash = createHash('sha256');
  for (let done = 0; done < sizeBytes; ) {
    const reached = Atomics.load(front, 0);
    if (reached < 0) return undefined;
    const wanted = Math.min(Number(reached) - done, readBytes);
    if (wanted === 0) Atomics.wait(front, 0, reached);
    const length = readSync(descriptor, buffer, 0, wanted, done);
    // Without this, a file that someone else cuts off would be waited for without end.
    if (length < wanted) throw new Error('a file that was being downloaded has become shorter');
    hash.update(buffer.subarray(0, length));
    done += length;
  }
  return hash.digest('hex');
}

parentPort?.on('message', (job: HashJob) => parentPort?.postMessage(followFile(job)));
