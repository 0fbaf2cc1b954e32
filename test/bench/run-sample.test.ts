import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openProfile, readProfileGround } from '../../src/bench/profile/open-profile.js';
import { runSample } from '../../src/bench/run-sample.js';
import { convertModel } from '../../src/convert/convert-model.js';
import { writeFeedFile } from '../../src/inputs/feed-file.js';
import { usualSession } from '../../src/lib/session-options.js';
import { tinyFeeds, writeTinyArtifact } from '../fixtures/artifact-folder.js';
import { findChildOfTest } from '../fixtures/child-of-test.js';
import { completeOptions } from '../fixtures/convert-options.js';

const never = new AbortController().signal;
const machine = await openProfile(null, 1, readProfileGround([]));

async function withJob(use: (job: Parameters<typeof runSample>[0]) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sample-'));
  try {
    await writeTinyArtifact(folder);
    const feedsPath = join(folder, 'feeds');
    await writeFeedFile(feedsPath, tinyFeeds());
    const job = {
      source: folder,
      s3: null,
      environment: {},
      session: usualSession,
      mountMode: 'copy',
      delivery: 'layer',
      threads: 1,
      ephemeralDir: folder,
      feedsPath,
      warm: 2,
    } as const;
    await use(job);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('runSample', () => {
  it('measures phases that lie within what passed outside', async () => {
    await withJob(async (job) => {
      const beganMs = performance.now();
      const answer = await runSample(job, machine, 60_000, never);
      const outsideMs = performance.now() - beganMs;
      if (!answer.ok) throw new Error(answer.error.what);
      const insideMs = [...Object.values(answer.phases), ...answer.steadyMs].reduce(
        (sum, each) => sum + each,
        0,
      );
      expect(insideMs).toBeLessThan(outsideMs);
    });
  });

  it.each(['layer', 'lazy'] as const)(
    'feeds a model whose inputs became FP16 the same numbers, rounded, by %s',
    async (delivery) => {
      await withJob(async (job) => {
        const source = join(job.source, 'halved');
        const model = join(job.source, 'model.onnx');
        for (const io of ['fp16', ['x']] as const) {
          await rm(source, { recursive: true, force: true });
          await convertModel(completeOptions({ model, out: source, io }));
          const answer = await runSample({ ...job, source, delivery }, machine, 60_000, never);
          expect(answer).toMatchObject({ ok: true, steadyMs: [expect.any(Number), expect.any(Number)] });
        }
      });
    },
  );

  it('answers with the code of what went wrong inside', async () => {
    await withJob(async (job) => {
      const answer = await runSample({ ...job, source: '/nowhere' }, machine, 60_000, never);
      expect(answer).toMatchObject({ ok: false, error: { code: 'no-document-there' } });
    });
  });

  it('answers that the process died when it died', async () => {
    await withJob(async (job) => {
      const running = runSample({ ...job, warm: 1e9 }, machine, 60_000, never);
      const pid = await vi.waitUntil(() => findChildOfTest('sample-child'), { timeout: 30_000 });
      process.kill(pid, 'SIGSEGV');
      const answer = await running;
      expect(answer).toMatchObject({ ok: false, error: { code: 'bench-sample-died' } });
      if (!answer.ok) expect(answer.error.what).toContain('SIGSEGV');
    });
  });

  it('asks a server that stands in for S3 as a handler would: through the AWS SDK', async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url, request.headers.authorization);
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    vi.stubEnv('AWS_PROFILE', 'of the person at this machine');
    vi.stubEnv('AWS_SESSION_TOKEN', 'geheim');
    try {
      await withJob(async (job) => {
        const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        const s3 = { endpoint, isStandIn: true };
        const source = 's3://store-0/tiny/artifact.json';
        const answer = await runSample({ ...job, source, s3, delivery: 'lazy' }, machine, 60_000, never);
        expect(answer).toMatchObject({ ok: false });
      });
    } finally {
      vi.unstubAllEnvs();
      server.close();
    }
    expect(asked[0]).toContain('/store-0/tiny/artifact.json');
    expect(asked[1]).toMatch(/^AWS4-HMAC-SHA256 Credential=loopback\/\d+\/us-east-1\/s3/);
  });
});
