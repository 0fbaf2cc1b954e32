import { Agent as HttpAgent, globalAgent as httpAgentOfAll } from 'node:http';
import { Agent as HttpsAgent, globalAgent as httpsAgentOfAll } from 'node:https';
import { NodeHttpHandler } from '#aws-sdk/read';
import { OptimiseModelError } from '../messages/error.js';
import type { ReadLimits } from './read-connection.js';
import { askReceiving, closeIdleReads } from './received-reads.js';

const variable = 'OPTIMISE_MODEL_S3_SILENCE_SECONDS';
const usualSeconds = 60;
/** A server puts the parts of a large object together before it answers, for minutes and not always with a sign of life. */
const completionFactor = 10;
const connectMs = 5_000;

/** One set of connections for all clients of the process: a store is opened for each step, its connections stay. */
const pool = { keepAlive: true, maxSockets: 64 } as const;
const agents = { httpAgent: new HttpAgent(pool), httpsAgent: new HttpsAgent(pool) };

type Request = Parameters<NodeHttpHandler['handle']>[0];
/** Beside the SDK's own: whether the body is received instead of being read as a stream. */
type Options = Parameters<NodeHttpHandler['handle']>[1] & { readonly isReceived?: boolean };

/** Sends requests over the shared connections; one on which nothing moves for too long fails, and is tried again. */
class SharedSockets extends NodeHttpHandler {
  readonly #patient: NodeHttpHandler;
  readonly #limits: ReadLimits;

  constructor(silenceMs: number) {
    super({ ...agents, connectionTimeout: connectMs, socketTimeout: silenceMs });
    this.#limits = { connectMs, silenceMs };
    const patience = { connectionTimeout: connectMs, socketTimeout: silenceMs * completionFactor };
    this.#patient = new NodeHttpHandler({ ...agents, ...patience });
  }

  override async handle(request: Request, options?: Options): ReturnType<NodeHttpHandler['handle']> {
    if (options?.isReceived === true) {
      const signal = options.abortSignal as AbortSignal | undefined;
      const response = await askReceiving(request, this.#limits, signal);
      if (response !== undefined) return { response };
    }
    const isCompletion = request.method === 'POST' && request.query.uploadId !== undefined;
    return isCompletion ? this.#patient.handle(request, options) : super.handle(request, options);
  }

  /** The connections belong to all clients, so none of them may close them. */
  override destroy(): void {}
}

/**
 * Makes what sends the requests of a client.
 *
 * @param env - Environment variables; `OPTIMISE_MODEL_S3_SILENCE_SECONDS` is how long a connection may be idle.
 * @returns A request handler for the SDK.
 * @throws `s3-silence-wrong`.
 */
export function shareSockets(env: NodeJS.ProcessEnv): NodeHttpHandler {
  return new SharedSockets(readSilenceMs(env));
}

/**
 * Closes the connections that no request uses, those included over which credentials were asked for; the next request
 * opens new ones.
 */
export function closeIdleSockets(): void {
  for (const { freeSockets } of [...Object.values(agents), httpAgentOfAll, httpsAgentOfAll]) {
    for (const sockets of Object.values(freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }
  closeIdleReads();
}

/**
 * Reads how long a connection may be idle.
 *
 * @param env - Environment variables.
 * @returns Milliseconds.
 * @throws `s3-silence-wrong`.
 */
export function readSilenceMs(env: NodeJS.ProcessEnv): number {
  const text = env[variable];
  if (text === undefined || text === '') return usualSeconds * 1000;
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (seconds >= 0.001 && seconds <= 86_400) return seconds * 1000;
  throw OptimiseModelError.of('s3-silence-wrong', { variable, value: text });
}
