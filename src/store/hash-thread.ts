import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { resolveChildModule } from '../lib/child-module.js';
import { ArrivalFront } from './arrival-front.js';
import { type FollowingHash, hashHere, type StartHash } from './download-target.js';

/** One file to hash while it is written. */
export type HashJob = {
  readonly descriptor: number;
  readonly sizeBytes: number;
  /** One element of shared memory: bytes that are there without a gap, −1 to give up. */
  readonly front: BigInt64Array;
};

/** Below that, starting the thread takes longer than it saves. */
const leastBytes = 16 * 1024 ** 2;

/** The thread is woken after so many bytes: once per chunk would cost a twentieth of the download. */
const tellingBytes = 1024 ** 2;

type Answer = { readonly resolve: (sha256: string) => void; readonly reject: (error: Error) => void };

/**
 * A thread that hashes files behind those who write them, reading from the page cache: receiving and writing take one
 * processor, SHA-256 a third of another. Files are hashed in the order in which they were begun.
 */
export class HashThread {
  #worker: Worker | undefined;
  #waiting: Answer[] = [];

  /** Begins to hash a file: small ones in the caller's thread, and all where there is one processor. */
  readonly start: StartHash = (descriptor, sizeBytes, partSizeBytes) => {
    if (sizeBytes < leastBytes || availableParallelism() < 2) {
      return hashHere(descriptor, sizeBytes, partSizeBytes);
    }
    return this.#follow(descriptor, sizeBytes, partSizeBytes);
  };

  #follow(descriptor: number, sizeBytes: number, partSizeBytes: number): FollowingHash {
    const arrived = new ArrivalFront(partSizeBytes);
    const front = new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT));
    const move = (bytes: number): void => {
      Atomics.store(front, 0, BigInt(bytes));
      Atomics.notify(front, 0);
    };
    const answer = this.#ask({ descriptor, sizeBytes, front });
    let told = 0;
    return {
      add: (offset, chunk) => {
        if (!arrived.add(offset, chunk.length)) return;
        const { bytes } = arrived;
        if (bytes - told < tellingBytes && bytes < sizeBytes) return;
        told = bytes;
        move(bytes);
      },
      digest: () => answer,
      end: async () => {
        if (arrived.bytes < sizeBytes) move(-1);
        await answer.catch(() => undefined);
      },
    };
  }

  #ask(job: HashJob): Promise<string> {
    const worker = this.#worker ?? this.#launch();
    const answer = new Promise<string>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    // Nobody asks for the hash of a download that failed.
    answer.catch(() => undefined);
    worker.postMessage(job);
    return answer;
  }

  #launch(): Worker {
    const worker = new Worker(resolveChildModule('../store/hash-thread-worker.js', import.meta.url));
    worker.on('message', (sha256: string) => this.#waiting.shift()?.resolve(sha256));
    worker.on('error', (error: Error) => {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
      this.#worker = undefined;
    });
    this.#worker = worker;
    return worker;
  }

  /** Ends the thread; all files must have been let go of. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }
}
