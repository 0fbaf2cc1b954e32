// Plain JavaScript, as the services that use it.
import { createServer } from 'node:net';

/**
 * Finds a port of the loopback interface that nobody listens on.
 * @returns {Promise<number>} The port.
 */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve, reject) =>
    server.once('error', reject).listen(0, '127.0.0.1', () => resolve(undefined)),
  );
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
