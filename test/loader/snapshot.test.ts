import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ColdStartLog, type OpenOptions, openModel } from '../../src/loader/index.js';
import { tinyFeeds } from '../fixtures/artifact-folder.js';
import { writeReleasedModel } from '../fixtures/released-model.js';
import { stageInBucket } from '../fixtures/staged-bucket.js';
import { useTempFolder } from '../fixtures/temp-folder.js';
import { requireS3, startS3IfFound, useS3 } from '../services/require-s3.js';
import type { RunningS3 } from '../services/versitygw.mjs';

const temporaryFolder = useTempFolder();
let s3: RunningS3 | undefined;
let link: Link;
let current: string;
let logs: ColdStartLog[];
let options: OpenOptions;

beforeAll(async () => {
  s3 = await startS3IfFound();
  if (s3 === undefined) return;
  useS3(s3);
  ({ current } = await stageInBucket(s3, 'snapshot'));
  link = await startLink(Number(new URL(s3.endpoint).port));
  useS3({ ...s3, endpoint: `http://127.0.0.1:${link.port}` });
});

beforeEach(async (context) => {
  await requireS3(context, s3);
  logs = [];
  options = { ephemeralDir: await temporaryFolder(), onLog: (log) => logs.push(log) };
});

afterEach(() => vi.unstubAllEnvs());

afterAll(async () => {
  link?.stop();
  await s3?.stop();
});

describe('a process that is kept as a snapshot', () => {
  it('has loaded its model and holds no connection in it, and works at once when it is restored', async () => {
    const model = await openModel(current, { ...options, delivery: 'lazy' });
    expect(model.variant).toBeNull();
    await model.beforeSnapshot();
    expect(model.variant?.id).toBe('fp32.single');
    await link.settle();
    expect(link.open()).toBe(0);
    link.cut();
    await model.afterRestore();
    expect((await model.run(tinyFeeds())).y?.data.at(-1)).toBe(64);
    expect(logs).toMatchObject([{ status: 'ready', delivery: 'lazy', restored: true }]);
    const another = await openModel(current, options);
    await another.close();
    await model.close();
  });

  it('forgets connections that died in it, and the client of a model that was not loaded yet', async () => {
    const { current: lazily } = await writeReleasedModel('lazy');
    const local = await openModel(lazily, options);
    await local.afterRestore();
    await local.run(tinyFeeds());
    await local.close();
    const model = await openModel(current, options);
    await model.run(tinyFeeds());
    expect(link.open()).toBeGreaterThan(0);
    link.hang();
    await model.afterRestore();
    expect(logs.slice(-2)).toMatchObject([{ restored: false }, { restored: true, status: 'ready' }]);
    const again = await openModel(current, options);
    expect((await again.run(tinyFeeds())).y?.data.at(-1)).toBe(64);
    await Promise.all([model.close(), again.close()]);
  });

  it('loads a lazy model at once where Lambda says that it takes a snapshot', async () => {
    vi.stubEnv('AWS_LAMBDA_INITIALIZATION_TYPE', 'snap-start');
    const model = await openModel(current, { ...options, delivery: 'lazy' });
    expect(model.phases.sessionMs).toBeGreaterThan(0);
    await model.run(tinyFeeds());
    const { sums } = logs[0] ?? {};
    expect(sums?.readyMs).toBe(sums?.coldStartMs);
    await model.close();
  });

  it('cannot be prepared with a model that is closed', async () => {
    const model = await openModel(current, options);
    await model.close();
    await expect(model.beforeSnapshot()).rejects.toMatchObject({ code: 'model-closed' });
  });
}, 60_000);

/** Connections to a server, in the hands of the test. */
type Link = {
  readonly port: number;
  /** How many are open. */
  readonly open: () => number;
  /** Waits until those that were closed are gone. */
  readonly settle: () => Promise<void>;
  readonly cut: () => void;
  /** Lets those that are open be silent for good, as they are after a restore, and no longer counts them. */
  readonly hang: () => void;
  readonly stop: () => void;
};

async function startLink(serverPort: number): Promise<Link> {
  const sockets = new Set<Socket>();
  const hung: Socket[] = [];
  const server: Server = createServer((socket) => {
    const far = connect(serverPort, '127.0.0.1');
    sockets.add(socket);
    socket.pipe(far).pipe(socket);
    for (const each of [socket, far]) each.on('error', () => each.destroy());
    far.on('close', () => socket.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      far.destroy();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const cut = (): void => {
    for (const socket of [...sockets, ...hung]) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    open: () => sockets.size,
    settle: () => vi.waitFor(() => expect(sockets.size).toBe(0), 5000).catch(() => undefined),
    cut,
    hang: () => {
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
        hung.push(socket);
      }
      sockets.clear();
    },
    stop: () => {
      cut();
      server.close();
    },
  };
}
