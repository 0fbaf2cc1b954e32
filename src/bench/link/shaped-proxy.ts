import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { showAddress } from '../../lib/show-address.js';
import { OptimiseModelError } from '../../messages/error.js';
import { calibrateLink, trialLink } from './calibrate-link.js';
import { makeZeros, readCheckPath } from './link-check.js';
import { type LinkModel, makeSharedLink } from './link-model.js';
import { shapeConnection } from './shaped-connection.js';

/** A running proxy on this machine's loopback interface. */
export type ShapedProxy = {
  /** Its address, without a final slash; what the server it stands for takes, it takes. */
  readonly endpoint: string;
  /** Ends every connection and the proxy; the server behind it goes on. */
  readonly close: () => Promise<void>;
};

/**
 * Stands in front of a real server and lets its replies pass as a link would.
 *
 * Requests pass at once. Every byte passes unchanged, `Host` included, so that signatures hold. What is asked by a
 * {@link checkPath} it answers itself, through the same link.
 *
 * @param target - The server: an `http:` address, of which host and port count.
 * @param model - The link that every reply passes.
 * @returns The running proxy; it listens on 127.0.0.1 only.
 * @throws `bench-link-not-http` for any other kind of address: what is encrypted cannot be told apart on the way.
 */
export async function startShapedProxy(target: URL, model: LinkModel): Promise<ShapedProxy> {
  if (target.protocol !== 'http:')
    throw OptimiseModelError.of('bench-link-not-http', { endpoint: showAddress(target.href) });
  let link = makeSharedLink(trialLink);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('close', () => sockets.delete(socket));
  };
  const zeros = startZeroServer();
  const zeroPort = await listen(zeros);
  const [host, port] = [target.hostname.replace(/^\[|\]$/g, ''), Number(target.port || 80)];
  const dial = (path: string): Socket => {
    const place = readCheckPath(path) === null ? { host, port } : { host: '127.0.0.1', port: zeroPort };
    return keep(connect({ ...place, noDelay: true, allowHalfOpen: true }));
  };
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) =>
    shapeConnection(keep(client), dial, link.connect()),
  );
  const endpoint = `http://127.0.0.1:${await listen(server)}`;
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    zeros.closeAllConnections();
    await Promise.all([server, zeros].map(stop));
  };
  try {
    link = await calibrateLink(endpoint, model);
  } catch (error) {
    await close();
    throw error;
  }
  return { endpoint, close };
}

function startZeroServer() {
  return createHttpServer((request, response) => {
    const sizeBytes = readCheckPath(request.url ?? '') ?? 0;
    response.writeHead(200, { 'content-length': sizeBytes });
    Readable.from(makeZeros(sizeBytes)).pipe(response);
  });
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await closed;
}
