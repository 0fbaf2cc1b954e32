import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  CompleteMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { DefaultRateLimiter } from '@smithy/core/retry';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectS3 } from '../../src/aws/s3-connection.js';
import { useS3 } from '../services/require-s3.js';
import { errorBody, type S3Answer, type S3Call, startScriptedS3 } from './scripted-s3.js';

const object = { Bucket: 'bucket', Key: 'k' };
const bytes = Buffer.from('the same bytes at each try');
const done: S3Answer = { status: 200, headers: { etag: '"e"' } };

async function connectTo(endpoint: string): Promise<S3Client> {
  useS3({ endpoint, accessKeyId: 'a', secretAccessKey: 'b' });
  return (await connectS3('bucket', process.env)).client;
}

/** A client of a server that answers the nth request as told, and what came to the server. */
async function script(answer: (n: number, call: S3Call) => S3Answer | undefined) {
  const seen: S3Call[] = [];
  const { endpoint, calls } = await startScriptedS3((call) => {
    seen.push(call);
    return answer(seen.length, call);
  });
  return { client: await connectTo(endpoint), calls, seen };
}

function refusal(status: number, code: string): S3Answer {
  return { status, body: errorBody(code) };
}

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('a request is sent again, with the same bytes,', () => {
  it.each<[string, S3Answer]>([
    ['503 SlowDown', refusal(503, 'SlowDown')],
    ['500 InternalError', refusal(500, 'InternalError')],
    ['400 RequestTimeout', refusal(400, 'RequestTimeout')],
    ['400 BadDigest', refusal(400, 'BadDigest')],
    ['400 IncompleteBody', refusal(400, 'IncompleteBody')],
    ['400 XAmzContentSHA256Mismatch', refusal(400, 'XAmzContentSHA256Mismatch')],
    ['400 XAmzContentChecksumMismatch', refusal(400, 'XAmzContentChecksumMismatch')],
    ['a reset', { status: 0, resets: true }],
  ])('after %s', async (_name, first) => {
    const { client, seen } = await script((n) => (n === 1 ? first : done));
    const answer = await client.send(new PutObjectCommand({ ...object, Body: bytes }));
    expect(answer.ETag).toBe('"e"');
    expect(seen.map(({ body }) => body.equals(bytes))).toEqual([true, true]);
  });

  it('after a reset in the middle of it', async () => {
    const body = Buffer.alloc(8 * 1024 ** 2, 7);
    let tries = 0;
    let received = 0;
    const server = createServer(async (request, response) => {
      tries += 1;
      for await (const chunk of request) {
        if (tries === 1) return request.socket.destroy();
        received += (chunk as Buffer).length;
      }
      response.writeHead(200, { etag: '"e"' }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const client = await connectTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await client.send(new PutObjectCommand({ ...object, Body: body }));
    expect([tries, received]).toEqual([2, body.length]);
  });

  it('when Complete answers 200 with an error, two times in all', async () => {
    const { client, calls } = await script((n) => (n === 1 ? refusal(200, 'InternalError') : undefined));
    await client.send(new CompleteMultipartUploadCommand({ ...object, UploadId: 'U1' }));
    expect(calls).toEqual(['complete', 'complete']);
  });

  it('when the clock is wrong, also when several had been signed before that was known', async () => {
    const ahead = new Date(Date.now() + 3_600_000);
    const server = { date: ahead.toUTCString() };
    const { client, seen } = await script((_n, { headers }) => {
      const signed = String(headers['x-amz-date']);
      const isRight = signed.slice(0, 11) === ahead.toISOString().replace(/[-:]/g, '').slice(0, 11);
      return isRight
        ? { ...done, headers: { ...server, etag: '"e"' } }
        : { ...refusal(403, 'RequestTimeTooSkewed'), headers: server };
    });
    const all = [1, 2, 3, 4].map((n) =>
      client.send(new PutObjectCommand({ ...object, Key: `k${n}`, Body: bytes })),
    );
    expect((await Promise.all(all)).map(({ ETag }) => ETag)).toEqual(['"e"', '"e"', '"e"', '"e"']);
    expect(seen.every(({ body }) => body.equals(bytes))).toBe(true);
  });
});

describe('a request is given up', () => {
  it('at the third answer that calls for another try', async () => {
    const { client, calls } = await script(() => refusal(400, 'BadDigest'));
    const sending = client.send(new PutObjectCommand({ ...object, Body: bytes }));
    await expect(sending).rejects.toMatchObject({ name: 'BadDigest', $metadata: { attempts: 3 } });
    expect(calls).toHaveLength(3);
  });

  it('when Complete answers 200 with an error three times', async () => {
    const { client, calls } = await script(() => refusal(200, 'InternalError'));
    const sending = client.send(new CompleteMultipartUploadCommand({ ...object, UploadId: 'U1' }));
    await expect(sending).rejects.toMatchObject({ name: 'InternalError' });
    expect(calls).toHaveLength(3);
  });

  it.each([
    [403, 'AccessDenied'],
    [400, 'EntityTooLarge'],
    [404, 'NoSuchBucket'],
  ])('at once after %s %s', async (status, code) => {
    const { client, calls } = await script(() => refusal(status, code));
    const sending = client.send(new PutObjectCommand({ ...object, Body: bytes }));
    await expect(sending).rejects.toMatchObject({ name: code });
    expect(calls).toHaveLength(1);
  });

  it('after as many tries as AWS_MAX_ATTEMPTS says', async () => {
    vi.stubEnv('AWS_MAX_ATTEMPTS', '2');
    const { client, calls } = await script(() => refusal(500, 'InternalError'));
    await expect(client.send(new PutObjectCommand({ ...object, Body: bytes }))).rejects.toThrow();
    expect(calls).toHaveLength(2);
  });
});

describe('a server that asks to slow down', () => {
  it('is sent fewer requests, and never less than 50 a second', async () => {
    const waits: number[] = [];
    vi.spyOn(
      DefaultRateLimiter as unknown as { setTimeoutFn: typeof setTimeout },
      'setTimeoutFn',
    ).mockImplementation(((resolve: () => void, ms: number) => {
      waits.push(ms);
      return setTimeout(resolve, ms);
    }) as never);
    const { client } = await script((n) => (n === 1 ? refusal(503, 'SlowDown') : done));
    const all = Array.from({ length: 10 }, () =>
      client.send(new PutObjectCommand({ ...object, Body: bytes })),
    );
    await Promise.all(all);
    for (let n = 0; n < 5; n += 1) await client.send(new PutObjectCommand({ ...object, Body: bytes }));
    expect(waits.length).toBeGreaterThan(0);
    expect(Math.max(...waits)).toBeLessThanOrEqual(1000 / 50);
  });
});

describe('a connection on which nothing moves', () => {
  it('fails, and the request is sent again', async () => {
    vi.stubEnv('OPTIMISE_MODEL_S3_SILENCE_SECONDS', '0.2');
    const { client, calls } = await script((n) => (n < 3 ? { status: 200, hangs: true } : done));
    await client.send(new HeadObjectCommand(object));
    expect(calls).toEqual(['head', 'head', 'head']);
  });

  it('fails in the middle of a body that arrives', async () => {
    vi.stubEnv('OPTIMISE_MODEL_S3_SILENCE_SECONDS', '0.2');
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': '100000' }).write(Buffer.alloc(50_000));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const client = await connectTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const { Body: body } = await client.send(new GetObjectCommand(object));
    await expect(body?.transformToByteArray()).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('fails in the middle of a body that nobody takes', async () => {
    vi.stubEnv('OPTIMISE_MODEL_S3_SILENCE_SECONDS', '0.2');
    let tries = 0;
    const server = createServer((request, response) => {
      tries += 1;
      if (tries === 1) return void request.once('data', () => request.pause());
      request.resume().on('end', () => response.writeHead(200, { etag: '"e"' }).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const client = await connectTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await client.send(new PutObjectCommand({ ...object, Body: Buffer.alloc(32 * 1024 ** 2) }));
    expect(tries).toBe(2);
  });

  it('may be silent ten times as long while an upload is put together', async () => {
    vi.stubEnv('OPTIMISE_MODEL_S3_SILENCE_SECONDS', '0.2');
    const { client, calls } = await script(() => ({
      status: 200,
      body: '<CompleteMultipartUploadResult><ETag>"e"</ETag></CompleteMultipartUploadResult>',
      delayMs: 600,
    }));
    await client.send(new CompleteMultipartUploadCommand({ ...object, UploadId: 'U1' }));
    expect(calls).toEqual(['complete']);
  });

  it('is one and the same for all clients of the process', async () => {
    let connections = 0;
    const server = createServer((_request, response) =>
      response.writeHead(200, { 'content-length': '9' }).end(),
    );
    server.on('connection', () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (let n = 0; n < 3; n += 1) {
      const client = await connectTo(endpoint);
      await client.send(new HeadObjectCommand(object));
      client.destroy();
    }
    expect(connections).toBe(1);
  });
});

describe('a bucket in another region', () => {
  it.each<[string, S3Answer]>([
    ['301', { ...refusal(301, 'PermanentRedirect'), headers: { 'x-amz-bucket-region': 'eu-west-3' } }],
    [
      'a signature for the wrong region',
      {
        status: 400,
        body: '<Error><Code>AuthorizationHeaderMalformed</Code><Message>m</Message><Region>eu-west-3</Region></Error>',
      },
    ],
  ])('is followed after %s, once for all requests', async (_name, first) => {
    const { client, seen } = await script((n) => (n === 1 ? first : done));
    await client.send(new PutObjectCommand({ ...object, Body: bytes }));
    await client.send(new PutObjectCommand({ ...object, Body: bytes }));
    const regions = seen.map(
      ({ headers }) => /Credential=[^/]+\/\d+\/([^/]+)/.exec(headers.authorization ?? '')?.[1],
    );
    expect(regions).toEqual(['us-east-1', 'eu-west-3', 'eu-west-3']);
    expect(seen.every(({ body }) => body.equals(bytes))).toBe(true);
  });

  it('is followed after an answer to HEAD, which has no body', async () => {
    const headers = { 'x-amz-bucket-region': 'eu-west-3' };
    const { client, calls } = await script((n) => (n === 1 ? { status: 400, headers } : done));
    await client.send(new HeadObjectCommand(object));
    expect(calls).toHaveLength(2);
  });

  it('is asked for no more when the server names the region that was asked', async () => {
    const headers = { 'x-amz-bucket-region': 'us-east-1' };
    const { client, calls } = await script(() => ({ ...refusal(301, 'PermanentRedirect'), headers }));
    await expect(client.send(new PutObjectCommand({ ...object, Body: bytes }))).rejects.toThrow();
    expect(calls).toHaveLength(1);
  });
});
