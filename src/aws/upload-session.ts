import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { FirstError } from './first-error.js';
import type { S3Connection } from './s3-connection.js';
import { translateS3Error } from './translate-s3-error.js';

/** How long requests on their way may go on after a stop. */
const graceMs = 2_000;

type Command = { readonly input: Record<string, unknown>; readonly constructor: { readonly name: string } };
type Send = (command: Command, options?: { abortSignal: AbortSignal }) => Promise<Record<string, unknown>>;

/** What an upload does around the requests that lib-storage sends. */
export type UploadHooks = {
  readonly signal: AbortSignal;
  /** Told of every error, in our words. */
  readonly first: FirstError;
  /** Called when all bytes have been read and before the object can become visible; throws to prevent that. */
  readonly beforeVisible: () => Promise<void>;
  /** CRC32 of all bytes read, base64; asked for after `beforeVisible`. Undefined where no checksum is to be sent. */
  readonly crc32: () => string | undefined;
  readonly onSent: (bytes: number) => void;
};

/**
 * Stands between lib-storage and the client during one upload. It remembers the upload's id, notes the first error
 * (lib-storage loses it when its clean-up fails), sends no more parts after the first error or a stop, and lets nothing become
 * visible before the source has been checked.
 */
export class UploadSession {
  readonly #connection: S3Connection;
  readonly #key: string;
  readonly #hooks: UploadHooks;
  readonly #failed = new AbortController();
  readonly #signal: AbortSignal;
  readonly #cut = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #uploadId: string | undefined;

  /**
   * @param connection - The bucket.
   * @param key - The object.
   * @param hooks - What to do around the requests.
   */
  constructor(connection: S3Connection, key: string, hooks: UploadHooks) {
    this.#connection = connection;
    this.#key = key;
    this.#hooks = hooks;
    this.#signal = AbortSignal.any([hooks.signal, this.#failed.signal]);
    // A part whose request is cut off may still arrive after the upload was aborted, and then it stays. So what is on
    // its way may end by itself for a moment; nothing new is sent.
    this.#signal.addEventListener('abort', () => {
      this.#timer = setTimeout(() => this.#cut.abort(), graceMs);
    });
  }

  /** Id of the multipart upload, once there is one. */
  get uploadId(): string | undefined {
    return this.#uploadId;
  }

  /** Whether requests had to be cut off, so that the server may still be busy with them. */
  get wasCut(): boolean {
    return this.#cut.signal.aborted;
  }

  /** Ends the waiting; to be called when no request is on its way any more. */
  close(): void {
    clearTimeout(this.#timer);
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
      const operation = command.constructor.name.replace(/Command$/, '');
      const ours = translateS3Error(error, { connection: this.#connection, key: this.#key, operation });
      this.#hooks.first.note(this.#hooks.signal.aborted ? this.#hooks.signal.reason : ours);
      this.#failed.abort();
      throw ours;
    }
  }

  async #sendAs(command: Command): Promise<unknown> {
    if (isOf(command, CreateMultipartUploadCommand)) {
      // Not stopped on the way: an upload whose id never arrived could not be removed.
      const answer = await this.#plainSend(command);
      this.#uploadId = String(answer.UploadId);
      return answer;
    }
    if (isOf(command, CompleteMultipartUploadCommand)) {
      await this.#makeReady(command);
      return this.#plainSend(command);
    }
    if (isOf(command, PutObjectCommand)) await this.#makeReady(command);
    const answer = await this.#plainSend(command, { abortSignal: this.#cut.signal });
    if (isOf(command, UploadPartCommand) || isOf(command, PutObjectCommand)) {
      this.#hooks.onSent((command.input.Body as Uint8Array).byteLength);
    }
    return answer;
  }

  async #makeReady(command: Command): Promise<void> {
    try {
      await this.#hooks.beforeVisible();
    } catch (error) {
      this.#hooks.first.note(error);
      throw error;
    }
    const crc32 = this.#hooks.crc32();
    if (crc32 !== undefined) command.input.ChecksumCRC32 = crc32;
  }

  #plainSend(command: Command, options?: { abortSignal: AbortSignal }): Promise<Record<string, unknown>> {
    const send = this.#connection.client.send.bind(this.#connection.client) as unknown as Send;
    return send(command, options);
  }
}

function isOf(command: Command, kind: abstract new (...args: never[]) => unknown): boolean {
  return command instanceof kind;
}
