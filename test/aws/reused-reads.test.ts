import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer, get as getSecurely } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ReusingHttpAgent, ReusingHttpsAgent, receiveBody } from '../../src/aws/reused-reads.js';
import { hashBytes } from '../../src/lib/sha256.js';
import { seededBytes, temporaryFolder } from '../fixtures/opaque-artifact.js';

const content = seededBytes(5_000_000, 13);
const answer: RequestListener = (_request, response) => {
  response.end(content);
};

function findOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function ask(port: number, agent: ReusingHttpAgent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) =>
    get({ port, host: '127.0.0.1', agent }, resolve).on('error', reject),
  );
}

/** Uses each chunk at once, as a download does. */
async function copyAll(body: IncomingMessage): Promise<{ bytes: Buffer; largestBytes: number }> {
  const bytes = Buffer.alloc(content.length);
  let largestBytes = 0;
  let done = 0;
  await receiveBody(body, (chunk) => {
    largestBytes = Math.max(largestBytes, chunk.length);
    bytes.set(chunk, done);
    done += chunk.length;
  });
  return { bytes, largestBytes };
}

function makeAgent(): ReusingHttpAgent {
  const agent = new ReusingHttpAgent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return agent;
}

describe('a connection that reads into one buffer', () => {
  it('hands over the bytes as they were sent, request after request, in larger pieces than Node reads', async () => {
    const [port, agent] = [await listen(createServer(answer)), makeAgent()];
    let largest = 0;
    for (let round = 0; round < 5; round += 1) {
      const { bytes, largestBytes } = await copyAll(await ask(port, agent));
      expect(hashBytes(bytes)).toBe(hashBytes(content));
      largest = Math.max(largest, largestBytes);
    }
    expect(largest).toBeGreaterThan(64 * 1024);
  });

  it('leaves what is kept alone: bodies that are collected, also after one that was handed over', async () => {
    const [port, agent] = [await listen(createServer(answer)), makeAgent()];
    await copyAll(await ask(port, agent));
    const chunks: Buffer[] = [];
    for await (const chunk of await ask(port, agent)) {
      chunks.push(chunk);
      if (chunks.length % 10 === 0) await sleep(1);
    }
    expect(hashBytes(Buffer.concat(chunks))).toBe(hashBytes(content));
  });

  it('keeps what came with the head until its reader is there', async () => {
    const [port, agent] = [await listen(createServer(answer)), makeAgent()];
    const body = await ask(port, agent);
    await sleep(50);
    expect(hashBytes((await copyAll(body)).bytes)).toBe(hashBytes(content));
  });

  it('says so when the body breaks, and when its taker refuses', async () => {
    const broken = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': content.length });
      response.write(content.subarray(0, 100_000));
      setTimeout(() => response.destroy(), 20);
    });
    const [port, agent] = [await listen(broken), makeAgent()];
    await expect(copyAll(await ask(port, agent))).rejects.toMatchObject({ code: 'ECONNRESET' });
    const refusing = receiveBody(await ask(port, agent), () => {
      throw new Error('full');
    });
    await expect(refusing).rejects.toThrow('full');
  });

  it.skipIf(!findOpenssl())('does the same over HTTPS', async () => {
    const folder = await temporaryFolder();
    const [key, cert] = [join(folder, 'key'), join(folder, 'cert')];
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '2'];
    execFileSync('openssl', [...request, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const server = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) }, answer);
    const port = await listen(server);
    const agent = new ReusingHttpsAgent({ keepAlive: true, maxSockets: 1, ca: readFileSync(cert) });
    onTestFinished(() => agent.destroy());
    for (let round = 0; round < 2; round += 1) {
      const body = await new Promise<IncomingMessage>((resolve, reject) =>
        getSecurely({ port, host: '127.0.0.1', servername: 'localhost', agent }, resolve).on('error', reject),
      );
      expect(hashBytes((await copyAll(body)).bytes)).toBe(hashBytes(content));
    }
  });
});
