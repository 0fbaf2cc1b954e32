import { once } from 'node:events';
import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as openRequest,
  type ServerResponse,
} from 'node:http';
import { addAhead, damage, errorDocument, isSkewed, stampNow, wrongChecksums, wrongEtag } from './damage.js';
import type { Fault } from './fault.js';
import { fitChecksums, signAgain } from './sign-again.js';

/** A moment in the life of a request; `request half` and `answer half` only where there is a body. */
export type Moment = 'arrived' | 'request half' | 'answered' | 'answer half' | 'delivered';

/** What the proxy knows beside the request itself. */
export type ExchangeSetting = {
  readonly target: URL;
  readonly secretAccessKey: string;
  /** How far the server pretends its clock is ahead; the `clock-ahead` fault sets it. */
  readonly clock: { aheadMs: number };
  /** Told of each moment before anything goes on; `drop` breaks the connection there. */
  readonly onMoment: (moment: Moment) => Promise<'go' | 'drop'>;
};

/** A server that is to close the connection does so over a body that it refuses, and its answer is lost then. */
const agent = new Agent({ keepAlive: true });

/** Requests that have been answered, be it before their body was sent. */
const answeredEarly = new WeakSet<object>();

/** One request, its fault, and what comes back. Answers are read whole before they go on: a fault decides on all of them. */
export class FaultyExchange {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #fault: Fault | undefined;
  readonly #setting: ExchangeSetting;

  /**
   * @param request - From the client.
   * @param response - To the client.
   * @param fault - What is to go wrong; undefined for nothing.
   * @param setting - The rest.
   */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    fault: Fault | undefined,
    setting: ExchangeSetting,
  ) {
    this.#request = request;
    this.#response = response;
    this.#fault = fault;
    this.#setting = setting;
  }

  /** Carries it out, to the answer or to the break. */
  async run(): Promise<void> {
    if (await this.#isDropped('arrived')) return;
    const fault = this.#fault;
    if (fault?.kind === 'reset-before') return this.#break();
    if (fault?.kind === 'hang') return void this.#request.resume();
    if (fault?.kind === 'refuse') return this.#refuse(fault.status, fault.code);
    if (fault?.kind === 'error-in-200') return this.#refuse(200, fault.code);
    if (fault?.kind === 'clock-ahead') {
      this.#setting.clock.aheadMs = fault.aheadMs;
      if (isSkewed(this.#request.headers, fault.aheadMs)) return this.#refuse(403, 'RequestTimeTooSkewed');
    }
    const answer = await this.#forward();
    if (answer === undefined || (await this.#isDropped('answered'))) return;
    if (fault?.kind === 'lose-answer') {
      await readAll(answer);
      return this.#break();
    }
    await this.#deliver(answer);
    await this.#isDropped('delivered');
  }

  async #isDropped(moment: Moment): Promise<boolean> {
    const isDropped = (await this.#setting.onMoment(moment)) === 'drop';
    if (isDropped) this.#break();
    return isDropped || this.#request.socket.destroyed;
  }

  #break(): void {
    this.#request.socket.resetAndDestroy();
  }

  async #refuse(status: number, code: string): Promise<void> {
    await readAll(this.#request);
    const body = Buffer.from(errorDocument(code));
    const headers = { 'content-type': 'application/xml', 'content-length': body.length };
    const date = addAhead({ date: new Date().toUTCString() }, this.#setting.clock.aheadMs);
    this.#response.writeHead(status, { ...headers, ...date });
    this.#response.end(this.#request.method === 'HEAD' ? undefined : body);
    await once(this.#response, 'close').catch(() => undefined);
  }

  /** The server's answer; undefined when the way there was broken. */
  async #forward(): Promise<IncomingMessage | undefined> {
    const isChanged = this.#fault?.kind === 'damage-request' || this.#fault?.kind === 'store-damaged';
    const whole = isChanged || this.#isLargeDocument() ? await readAll(this.#request) : undefined;
    const changed = isChanged && whole !== undefined ? damage(whole) : whole;
    const { target } = this.#setting;
    const upstream = openRequest({
      ...{ host: target.hostname, port: target.port, agent },
      ...{ method: this.#request.method, path: this.#request.url, headers: this.#headers(changed) },
    });
    const answered = once(upstream, 'response') as Promise<[IncomingMessage]>;
    answered.catch(() => undefined);
    upstream.once('response', () => answeredEarly.add(upstream));
    upstream.on('error', () => undefined);
    // A client that dies takes its request with it, as without a proxy.
    const { socket } = this.#request;
    const leave = (): void => void upstream.destroy();
    socket.once('close', leave);
    try {
      if (changed !== undefined) upstream.end(changed);
      else if (!(await this.#sendBody(upstream))) return undefined;
      return (await answered)[0];
    } finally {
      socket.off('close', leave);
    }
  }

  /** A server that refuses a document closes on what is still coming: it goes out in one go, as without a proxy. */
  #isLargeDocument(): boolean {
    const isDocument = new URL(this.#request.url ?? '', 'http://x').pathname.endsWith('.json');
    return isDocument && Number(this.#request.headers['content-length'] ?? 0) > 1024 ** 2;
  }

  #headers(changed: Buffer | undefined): OutgoingHttpHeaders {
    // Not signed, and of this hop only. The body comes at once, whether the server has asked for it or not.
    const { connection: _connection, expect: _expect, ...sent } = this.#request.headers;
    const { clock, secretAccessKey } = this.#setting;
    const isStored = this.#fault?.kind === 'store-damaged' && changed !== undefined;
    const fitted = isStored ? fitChecksums(sent, changed) : sent;
    const isEarly = clock.aheadMs !== 0;
    const headers: IncomingHttpHeaders = isEarly ? stampNow(fitted) : fitted;
    if (!isStored && !isEarly) return headers;
    const { method = '', url = '' } = this.#request;
    return signAgain({ method, path: url, headers }, secretAccessKey);
  }

  async #sendBody(upstream: ReturnType<typeof openRequest>): Promise<boolean> {
    const size = Number(this.#request.headers['content-length'] ?? 0);
    const half = Math.ceil(size / 2);
    let seen = 0;
    for await (const chunk of this.#request as AsyncIterable<Buffer>) {
      const cut = seen < half && seen + chunk.length >= half ? half - seen : 0;
      seen += chunk.length;
      if (cut > 0) {
        await write(upstream, chunk.subarray(0, cut));
        if (await this.#isCut('reset-in-request', 'request half')) {
          upstream.destroy();
          return false;
        }
      }
      await write(upstream, chunk.subarray(cut));
    }
    upstream.end();
    return true;
  }

  async #isCut(kind: Fault['kind'], moment: Moment): Promise<boolean> {
    if (await this.#isDropped(moment)) return true;
    if (this.#fault?.kind !== kind) return false;
    this.#break();
    return true;
  }

  async #deliver(answer: IncomingMessage): Promise<void> {
    const fault = this.#fault;
    const { connection: _connection, ...came } = addAhead(answer.headers, this.#setting.clock.aheadMs);
    let headers: OutgoingHttpHeaders = came;
    if (fault?.kind === 'wrong-checksum') headers = wrongChecksums(headers);
    if (fault?.kind === 'wrong-etag') headers = wrongEtag(headers);
    this.#response.writeHead(answer.statusCode ?? 500, headers);
    const body = await readAll(answer);
    const text = body.toString('latin1');
    if (fault?.kind === 'wrong-checksum') return this.#finish(Buffer.from(wrongChecksums(text), 'latin1'));
    if (fault?.kind === 'wrong-etag') return this.#finish(Buffer.from(wrongEtag(text), 'latin1'));
    if (fault?.kind === 'damage-answer') return this.#finish(damage(body, fault.near));
    await this.#finish(body);
  }

  async #finish(body: Buffer): Promise<void> {
    const half = Math.ceil(body.length / 2);
    if (half > 0) {
      this.#response.write(body.subarray(0, half));
      // What was written must have left before the connection breaks.
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#fault?.kind === 'hang-in-answer') return;
      if (await this.#isCut('reset-in-answer', 'answer half')) return;
    }
    this.#response.end(body.subarray(half));
    if (!this.#response.closed) await once(this.#response, 'close').catch(() => undefined);
  }
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function write(upstream: ReturnType<typeof openRequest>, bytes: Buffer): Promise<void> {
  // A server that refuses does not read on.
  if (bytes.length === 0 || answeredEarly.has(upstream) || upstream.destroyed) return;
  if (upstream.write(bytes)) return;
  const events = ['drain', 'response', 'close'];
  await new Promise<void>((resolve) => {
    const go = (): void => {
      for (const event of events) upstream.off(event, go);
      resolve();
    };
    for (const event of events) upstream.on(event, go);
  });
}
