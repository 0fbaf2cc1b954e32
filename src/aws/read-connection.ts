import { connect as connectPlain, isIP, type NetConnectOpts, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { connect as connectSecurely } from 'node:tls';
import { bodyLengthOf, parseResponseHead, type ResponseHead } from './response-head.js';

/** As much as the kernel often has ready; Node takes 64 KiB at a time, and new memory each time. */
const bufferBytes = 256 * 1024;
const longestHeadBytes = 64 * 1024;

/** Which server a connection leads to. */
export type ReadTarget = { readonly secure: boolean; readonly hostname: string; readonly port: number };

/** How long to connect, and how long nothing may move, ms. */
export type ReadLimits = { readonly connectMs: number; readonly silenceMs: number };

/** Takes bytes as they arrive; it is done with them when it returns, as their memory is used again. */
type Take = (chunk: Buffer) => void;

/** The body of an answer, in the shape that the SDK wants; it is not read as a stream, but received. */
export class ReceivedBody extends Readable {
  readonly #connection: ReadConnection;
  #isReceived = false;

  /** @param connection - Where it comes from. */
  constructor(connection: ReadConnection) {
    super();
    this.#connection = connection;
  }

  override _read(): void {
    this.destroy(new Error('this body is to be received'));
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.#isReceived) this.#connection.giveUp();
    done(error);
  }

  /**
   * Hands the body over as it arrives, in the connection's own buffer.
   *
   * @param take - Takes a chunk.
   * @throws What broke the connection, what `take` throws.
   */
  async receive(take: Take): Promise<void> {
    await this.#connection.receive(take);
    // The connection is another's from here on.
    this.#isReceived = true;
  }
}

/** A body on its way to who receives it. */
type Receiving = {
  leftBytes: number;
  /** Bytes that have not even arrived. */
  awaitedBytes: number;
  /** What came before anyone received it. */
  readonly early: Buffer[];
  take: Take | undefined;
  resolve: () => void;
  reject: (error: unknown) => void;
};

type Asking = {
  readonly resolve: (head: ResponseHead | undefined) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * A connection over which one GET after the other is answered into one buffer. The HTTP client of Node copies each
 * chunk of a body into new memory, twice; to get and collect that costs more than hashing what is downloaded.
 *
 * @see https://nodejs.org/docs/latest-v20.x/api/net.html#socketconnectoptions-connectlistener (`onread`)
 */
export class ReadConnection {
  readonly #socket: Socket;
  #head: Buffer = Buffer.alloc(0);
  #asking: Asking | undefined;
  #body: Receiving | undefined;
  #failure: unknown;
  #wasClosedUnasked = false;
  /** Stops listening to the signal of the request. */
  #onEnd: (() => void) | undefined;
  readonly #onFree: (connection: ReadConnection) => void;
  #isReusable = true;

  /**
   * @param target - The server.
   * @param limits - How long to connect, and how long nothing may move, ms.
   * @param onFree - Called when an answer has been read to its end and another request may be sent.
   */
  constructor(target: ReadTarget, limits: ReadLimits, onFree: (connection: ReadConnection) => void) {
    this.#onFree = onFree;
    const { hostname: host, port, secure } = target;
    const onread = {
      buffer: new Uint8Array(bufferBytes),
      callback: (sizeBytes: number, buffer: Uint8Array): boolean => {
        this.#arrive(Buffer.from(buffer.buffer, buffer.byteOffset, sizeBytes));
        return true;
      },
    };
    const options: NetConnectOpts = { host, port, onread, noDelay: true, keepAlive: true };
    const servername = { servername: isIP(host) === 0 ? host : '', ALPNProtocols: ['http/1.1'] };
    this.#socket = secure ? connectSecurely({ ...options, ...servername }) : connectPlain(options);
    this.#socket.once(secure ? 'secureConnect' : 'connect', () => this.#socket.setTimeout(limits.silenceMs));
    this.#socket.setTimeout(limits.connectMs);
    this.#socket.on('timeout', () => this.#fail(timedOut(this.#socket.timeout ?? 0)));
    this.#socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#wasClosedUnasked =
        this.#isUnanswered() && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      this.#fail(error);
    });
    this.#socket.on('close', () => this.#close());
    // Without it the end of the connection is not noticed.
    this.#socket.resume();
  }

  /** Whether another request may be sent: the last answer was read to its end. */
  get isFree(): boolean {
    return this.#failure === undefined && this.#isReusable && !this.#asking && !this.#body;
  }

  /**
   * Sends a request and waits for the head of its answer.
   *
   * @param text - Request line and headers, with the blank line at their end.
   * @param signal - Ends the request, and the receiving of its body.
   * @returns The head; undefined for what is no HTTP/1.1. After these and after an answer that does not say its length the
   *   connection is over.
   * @throws What broke the connection, the signal's `AbortError`.
   */
  async ask(text: string, signal: AbortSignal | undefined): Promise<ResponseHead | undefined> {
    if (this.#failure !== undefined) throw this.#failure;
    const stop = (): void => this.#fail(aborted());
    if (signal?.aborted) throw aborted();
    signal?.addEventListener('abort', stop, { once: true });
    this.#socket.ref();
    this.#onEnd = () => signal?.removeEventListener('abort', stop);
    return new Promise<ResponseHead | undefined>((resolve, reject) => {
      this.#asking = { resolve, reject };
      this.#socket.write(text, 'latin1');
    });
  }

  /**
   * Hands the body of the answer over.
   *
   * @param take - Takes a chunk.
   * @throws What broke the connection, what `take` throws: the connection is over then.
   */
  receive(take: Take): Promise<void> {
    return new Promise((resolve, reject) => {
      const body = this.#body;
      if (this.#failure !== undefined) return reject(this.#failure);
      if (body === undefined) return resolve();
      Object.assign(body, { take, resolve, reject });
      for (const chunk of body.early.splice(0)) this.#hand(body, take, chunk);
    });
  }

  /** Whether the server closed it before it said anything to the last request. */
  get wasClosedUnasked(): boolean {
    return this.#wasClosedUnasked;
  }

  /** Ends the connection, with whatever is still on its way. */
  giveUp(): void {
    this.#fail(closedEarly());
  }

  /** A server may close when it has sent everything, before anyone has received it. */
  #close(): void {
    this.#isReusable = false;
    if (this.#failure === undefined) this.#wasClosedUnasked = this.#isUnanswered();
    if (this.#body === undefined || this.#body.awaitedBytes > 0) this.#fail(closedEarly());
  }

  #isUnanswered(): boolean {
    return this.#asking !== undefined && this.#head.length === 0;
  }

  #arrive(chunk: Buffer): void {
    if (this.#asking !== undefined) this.#readHead(this.#asking, chunk);
    else if (this.#body !== undefined) this.#receiveMore(this.#body, chunk);
    else this.#fail(new Error('the server sent something that was not asked for'));
  }

  #readHead(asking: Asking, chunk: Buffer): void {
    this.#head = Buffer.concat([this.#head, chunk]);
    const head = parseResponseHead(this.#head);
    if (head === undefined && this.#head.length <= longestHeadBytes) return;
    const lengthBytes = head === undefined || head === 'malformed' ? undefined : bodyLengthOf(head);
    this.#asking = undefined;
    if (head === undefined || head === 'malformed' || lengthBytes === undefined) {
      this.#fail(closedEarly());
      asking.resolve(head === 'malformed' ? undefined : head);
      return;
    }
    this.#isReusable = !/\bclose\b/i.test(head.headers.connection ?? '');
    const rest = this.#head.subarray(head.bodyStart);
    this.#head = Buffer.alloc(0);
    const ignore = (): void => undefined;
    const body: Receiving = {
      leftBytes: lengthBytes,
      awaitedBytes: lengthBytes,
      early: [],
      take: undefined,
      resolve: ignore,
      reject: ignore,
    };
    this.#body = body;
    this.#receiveMore(body, rest);
    asking.resolve(head);
  }

  #receiveMore(body: Receiving, chunk: Buffer): void {
    body.awaitedBytes -= chunk.length;
    if (body.awaitedBytes < 0) this.#fail(new Error('the server sent more than it had announced'));
    else if (body.take !== undefined) this.#hand(body, body.take, chunk);
    else if (chunk.length > 0) body.early.push(Buffer.from(chunk));
    else if (body.leftBytes === 0) this.#finish(body);
  }

  #hand(body: Receiving, take: Take, chunk: Buffer): void {
    body.leftBytes -= chunk.length;
    try {
      take(chunk);
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (body.leftBytes === 0) this.#finish(body);
  }

  #finish(body: Receiving): void {
    this.#body = undefined;
    this.#onEnd?.();
    this.#onEnd = undefined;
    body.resolve();
    if (!this.#isReusable) return void this.#socket.destroy();
    // An idle connection does not keep the process alive.
    this.#socket.unref();
    this.#onFree(this);
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#socket.destroy();
    this.#asking?.reject(error);
    this.#body?.reject(error);
    this.#onEnd?.();
  }
}

/** In the words of the SDK's own, since they are read by the same code. */
function timedOut(silenceMs: number): Error {
  const error = new Error(`the request socket timed out after ${silenceMs} ms of inactivity`);
  return Object.assign(error, { name: 'TimeoutError', code: 'ETIMEDOUT' });
}

function closedEarly(): Error {
  return Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' });
}

function aborted(): Error {
  return Object.assign(new Error('Request aborted'), { name: 'AbortError' });
}
