// Plain JavaScript, so that benchmarks can use it after a build, without a TypeScript loader.
import { once } from 'node:events';
import { Agent, createServer, request as sendRequest } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** What may be under way to a receiver that does not read, like a TCP window. */
const windowBytes = 1024 * 1024;

/**
 * Stands in front of an HTTP server and lets its replies pass as a link would: each waits for the latency, all share the
 * rate. Requests pass at once. The Host header stays the client's, so that signatures hold.
 *
 * @param {string} target - Address of the server.
 * @param {{ begin: (nowMs: number) => { firstByteAtMs: number, send: (sizeBytes: number) => number, resumeAt: (nowMs: number) => void } }} link
 *   What `makeSharedLink` makes.
 * @returns {Promise<{ endpoint: string, requestCount: () => number, replyBytes: () => number, stop: () => Promise<void> }>}
 *   The running proxy.
 */
export async function startLinkProxy(target, link) {
  const { hostname, port } = new URL(target);
  const agent = new Agent({ keepAlive: true });
  const passed = { requests: 0, bytes: 0 };
  const server = createServer((request, response) => {
    passed.requests += 1;
    const transfer = link.begin(performance.now());
    const { method, url: path, rawHeaders: headers } = request;
    const onward = sendRequest({ hostname, port, method, path, headers, agent, setHost: false });
    // A client that goes away takes its request with it.
    response.on('close', () => onward.destroy());
    onward.on('error', () => response.destroy());
    onward.on('response', (reply) => {
      passReply(reply, response, transfer, passed).catch(() => response.destroy());
    });
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const ownPort = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    endpoint: `http://127.0.0.1:${ownPort}`,
    requestCount: () => passed.requests,
    replyBytes: () => passed.bytes,
    stop: async () => {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function passReply(reply, response, transfer, passed) {
  await waitUntil(transfer.firstByteAtMs);
  response.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
  response.flushHeaders();
  for await (const chunk of reply) {
    await waitUntil(transfer.send(chunk.length));
    if (response.destroyed) return;
    passed.bytes += chunk.length;
    response.write(chunk);
    if (response.writableLength < windowBytes) continue;
    await waitForRoom(response);
    transfer.resumeAt(performance.now());
  }
  response.end();
}

/** Waits for the receiver, or for its going away. */
async function waitForRoom(response) {
  const waiting = new AbortController();
  try {
    const { signal } = waiting;
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  } finally {
    waiting.abort();
  }
}

async function waitUntil(atMs) {
  const leftMs = atMs - performance.now();
  // Rounded up: a timer cuts fractions off, and bytes must not arrive before the link would have them.
  if (leftMs > 0) await sleep(Math.ceil(leftMs));
}
