import { crc32 } from 'node:zlib';
import type { S3Client } from '@aws-sdk/client-s3';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
} from '#aws-sdk/write';
import { printCrc32 } from '../lib/crc32.js';
import type { PartSlots } from '../lib/part-slots.js';
import { OptimiseModelError } from '../messages/error.js';
import type { FileBody } from './file-body.js';
import type { FirstError } from './first-error.js';
import type { PartProofs, StoredAnswer, StoredDifference } from './part-proofs.js';
import type { S3Connection } from './s3-connection.js';
import { attemptsOf, statusOf, translateS3Error } from './translate-s3-error.js';
import type { JournalEntry } from './upload-journal.js';
import type { UploadSource } from './upload-source.js';

/** How long requests on their way may go on after a stop. */
const graceMs = 2_000;

/** How long it is waited for the answers that say what is on the server: what they would have said is looked up then. */
const decisiveGraceMs = 15_000;

type Command = { readonly input: Record<string, unknown>; readonly constructor: { readonly name: string } };
type Answer = StoredAnswer & {
  readonly UploadId?: string | undefined;
  readonly $metadata?: { readonly attempts?: number };
};
type Send = (command: Command, options?: { abortSignal: AbortSignal }) => Promise<Answer>;

/** What an upload does around the requests that lib-storage sends. */
export type UploadHooks = {
  readonly key: string;
  readonly signal: AbortSignal;
  readonly slots: PartSlots;
  readonly source: UploadSource;
  readonly proofs: PartProofs;
  /** Null for what is sent in one request. */
  readonly journal: JournalEntry | null;
  /** Told of every error, in our words. */
  readonly first: FirstError;
  readonly onSent: (bytes: number) => void;
};

/**
 * Stands between lib-storage and the client during one upload. It reads each part when its turn has come, remembers
 * the upload's id, notes the first error (lib-storage loses it when its clean-up fails), sends no more parts after the
 * first error or a stop, and lets nothing become visible before the source and the stored parts have been checked.
 */
export class UploadSession {
  readonly #connection: S3Connection;
  readonly #hooks: UploadHooks;
  readonly #failed = new AbortController();
  readonly #signal: AbortSignal;
  readonly #cut = new AbortController();
  readonly #cutLate = new AbortController();
  #timers: readonly NodeJS.Timeout[] = [];
  #uploadId: string | undefined;
  #mostStrays = 0;
  #isDecisive = false;

  /**
   * @param connection - The bucket.
   * @param hooks - What to do around the requests.
   */
  constructor(connection: S3Connection, hooks: UploadHooks) {
    this.#connection = connection;
    this.#hooks = hooks;
    this.#signal = AbortSignal.any([hooks.signal, this.#failed.signal]);
    // A part whose request is cut off may still arrive after the upload was aborted, and then it stays. So what is on
    // its way may end by itself for a moment; nothing new is sent.
    this.#signal.addEventListener('abort', () => {
      this.#timers = [
        setTimeout(() => this.#cut.abort(), graceMs),
        setTimeout(() => this.#cutLate.abort(), decisiveGraceMs),
      ];
    });
  }

  /** Id of the multipart upload, once there is one. */
  get uploadId(): string | undefined {
    return this.#uploadId;
  }

  /** How many uploads the server may have begun whose id never arrived. */
  get mostStrays(): number {
    return this.#mostStrays;
  }

  /** Whether the request that makes the object visible was sent: should it fail, the object may be there all the same. */
  get isDecisive(): boolean {
    return this.#isDecisive;
  }

  /** Whether requests had to be cut off, so that the server may still be busy with them. */
  get wasCut(): boolean {
    return this.#cut.signal.aborted;
  }

  /** Ends the waiting; to be called when no request is on its way any more. */
  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /** @returns A client whose requests pass through here. */
  client(): S3Client {
    const send = (command: Command): Promise<unknown> => this.#send(command);
    return Object.assign(Object.create(this.#connection.client) as S3Client, {
      send: send as S3Client['send'],
    });
  }

  async #send(command: Command): Promise<unknown> {
    try {
      this.#signal.throwIfAborted();
      return await this.#sendAs(command);
    } catch (error) {
      const operation = nameOperation(command);
      const { key, first, signal } = this.#hooks;
      const ours = translateS3Error(error, { connection: this.#connection, key, operation });
      first.note(signal.aborted ? signal.reason : ours);
      this.#failed.abort();
      throw ours;
    }
  }

  async #sendAs(command: Command): Promise<unknown> {
    if (isOf(command, CreateMultipartUploadCommand)) return this.#create(command);
    if (isOf(command, CompleteMultipartUploadCommand)) return this.#complete(command);
    const body = command.input.Body as FileBody;
    const { slots, source, onSent } = this.#hooks;
    return slots.use(body.byteLength, async (buffer) => {
      this.#signal.throwIfAborted();
      await this.#read(source.readPart(body.offset, buffer));
      command.input.Body = buffer;
      const answer = isOf(command, UploadPartCommand)
        ? await this.#sendPart(command, buffer)
        : await this.#put(command, buffer);
      onSent(buffer.length);
      return answer;
    });
  }

  /** What the source says is no error of S3. */
  async #read(reading: Promise<void>): Promise<void> {
    try {
      await reading;
    } catch (error) {
      this.#hooks.first.note(error);
      throw error;
    }
  }

  async #create(command: Command): Promise<Answer> {
    try {
      // Hardly stopped on the way: an upload whose id never arrived has to be looked for.
      const answer = await this.#plainSend(command, { abortSignal: this.#cutLate.signal });
      this.#mostStrays = (answer.$metadata?.attempts ?? 1) - 1;
      this.#uploadId = String(answer.UploadId);
    } catch (error) {
      const status = statusOf(error);
      const isRefused = status >= 400 && status < 500;
      this.#mostStrays = attemptsOf(error) - Number(isRefused);
      throw error;
    }
    await this.#hooks.journal?.noteUploadId(this.#uploadId);
    return { UploadId: this.#uploadId };
  }

  async #sendPart(command: Command, buffer: Buffer): Promise<Answer> {
    const part = Number(command.input.PartNumber);
    const { proofs } = this.#hooks;
    const answer = await this.#sendBody(command, buffer, proofs.crc32Of(part));
    const difference = proofs.note(part, buffer, answer);
    if (difference !== undefined) throw this.#storedDiffers(difference);
    return answer;
  }

  async #put(command: Command, buffer: Buffer): Promise<Answer> {
    await this.#read(this.#hooks.source.refuseIfChanged());
    const { proofs } = this.#hooks;
    this.#isDecisive = true;
    const answer = await this.#sendBody(command, buffer, proofs.whole);
    proofs.note(1, buffer, answer);
    return answer;
  }

  async #sendBody(command: Command, buffer: Buffer, expectedCrc32: string): Promise<Answer> {
    if (this.#connection.usesChecksums) command.input.ChecksumCRC32 = expectedCrc32;
    try {
      return await this.#plainSend(command, { abortSignal: this.#cut.signal });
    } catch (error) {
      // The server refuses what has another checksum than it was announced with; that may be the file's doing.
      if (printCrc32(crc32(buffer)) !== expectedCrc32) {
        await this.#read(this.#hooks.source.explainChange().then((changed) => Promise.reject(changed)));
      }
      throw error;
    }
  }

  async #complete(command: Command): Promise<Answer> {
    const { source, proofs } = this.#hooks;
    await this.#read(source.refuseIfChanged());
    const damaged = proofs.findDamagedPart();
    if (damaged !== undefined) throw this.#storedDiffers(damaged);
    // The server is told beforehand, so that it can refuse to make a damaged whole visible.
    if (this.#connection.usesChecksums) command.input.ChecksumCRC32 = proofs.whole;
    this.#isDecisive = true;
    return this.#plainSend(command, { abortSignal: this.#cutLate.signal });
  }

  #storedDiffers({ part, measure, expected, seen }: StoredDifference): OptimiseModelError {
    const url = `s3://${this.#connection.bucket}/${this.#hooks.key}`;
    const problem = `the ${measure} of part ${part}`;
    const fate = 'it was not completed';
    return OptimiseModelError.of('stored-differs', { url, problem, expected, seen, fate });
  }

  #plainSend(command: Command, options?: Parameters<Send>[1]): Promise<Answer> {
    const send = this.#connection.client.send.bind(this.#connection.client) as unknown as Send;
    return send(command, options);
  }
}

function nameOperation(command: Command): string {
  const name = command.constructor.name.replace(/Command$/, '');
  return isOf(command, UploadPartCommand) ? `${name} ${String(command.input.PartNumber)}` : name;
}

function isOf(command: Command, kind: abstract new (...args: never[]) => unknown): boolean {
  return command instanceof kind;
}
