import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { OnReadOpts, Socket } from 'node:net';

/** Per connection: as much as the kernel often has ready; Node reads 64 KiB at a time. */
const bufferBytes = 256 * 1024;

/** Sockets of a response whose bytes are used at once, so that they may lie in the connection's buffer. */
const usedAtOnce = new WeakSet<object>();

/**
 * Makes a connection read into one buffer again and again. Node takes a new one of 64 KiB for every read otherwise, and
 * to get and collect these costs as much as hashing what is downloaded.
 *
 * @see https://nodejs.org/docs/latest-v20.x/api/net.html#socketconnectoptions-connectlistener (`onread`)
 */
function readReusing(): OnReadOpts {
  return {
    buffer: new Uint8Array(bufferBytes),
    callback(this: Socket, sizeBytes: number, buffer: Uint8Array): boolean {
      const view = Buffer.from(buffer.buffer, buffer.byteOffset, sizeBytes);
      // Whatever may be kept for later, such as heads, documents and errors, gets memory of its own.
      const isUsedAtOnce = usedAtOnce.has(this) && this.readableFlowing === true && this.readableLength === 0;
      return this.push(isUsedAtOnce ? view : Buffer.from(view));
    },
  };
}

/** Connections over HTTP that read into one buffer each. */
export class ReusingHttpAgent extends HttpAgent {
  override createConnection(...[options, ...more]: Parameters<HttpAgent['createConnection']>) {
    const reusing = { ...options, onread: readReusing() };
    return super.createConnection(reusing, ...more);
  }
}

/** Connections over HTTPS that read into one buffer each. */
export class ReusingHttpsAgent extends HttpsAgent {
  override createConnection(...[options, ...more]: Parameters<HttpsAgent['createConnection']>) {
    const reusing = { ...options, onread: readReusing() };
    return super.createConnection(reusing, ...more);
  }
}

/**
 * Hands a body over as it arrives, in the connection's own buffer where that is one of a {@link ReusingHttpAgent}.
 *
 * @param body - The body of an answer, of which nothing was read.
 * @param take - Takes a chunk; it is done with it when it returns. What it throws ends the reading.
 * @throws What broke the body, what `take` throws.
 */
export function receiveBody(body: IncomingMessage, take: (chunk: Uint8Array) => void): Promise<void> {
  const { socket } = body;
  return new Promise<void>((resolve, reject) => {
    body.on('data', (chunk: Uint8Array) => {
      try {
        take(chunk);
        // Not before: what came with the head is waiting for its reader by then.
        usedAtOnce.add(socket);
      } catch (error) {
        reject(error);
        body.destroy();
      }
    });
    body.once('end', resolve);
    body.once('error', reject);
    body.once('close', () => reject(closedEarly()));
  }).finally(() => usedAtOnce.delete(socket));
}

function closedEarly(): Error {
  return Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' });
}
