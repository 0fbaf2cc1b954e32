import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runSample } from '../../src/bench/run-sample.js';
import { writeFeedFile } from '../../src/inputs/feed-file.js';
import { tinyFeeds, writeTinyArtifact } from '../fixtures/artifact-folder.js';

const never = new AbortController().signal;

async function withJob(use: (job: Parameters<typeof runSample>[0]) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sample-'));
  try {
    await writeTinyArtifact(folder);
    const feedsPath = join(folder, 'feeds');
    await writeFeedFile(feedsPath, tinyFeeds());
    const job = {
      source: folder,
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
      const answer = await runSample(job, 60_000, never);
      const outsideMs = performance.now() - beganMs;
      if (!answer.ok) throw new Error(answer.error.what);
      const insideMs = [...Object.values(answer.phases), ...answer.steadyMs].reduce(
        (sum, each) => sum + each,
        0,
      );
      expect(insideMs).toBeLessThan(outsideMs);
    });
  });

  it('answers with the code of what went wrong inside', async () => {
    await withJob(async (job) => {
      const answer = await runSample({ ...job, source: '/nowhere' }, 60_000, never);
      expect(answer).toMatchObject({ ok: false, error: { code: 'object-missing' } });
    });
  });

  it('answers that the process died when it died', async () => {
    await withJob(async (job) => {
      const running = runSample({ ...job, warm: 1e9 }, 60_000, never);
      setTimeout(() => killChildOfTest(), 1500);
      const answer = await running;
      expect(answer).toMatchObject({ ok: false, error: { code: 'bench-sample-died' } });
      if (!answer.ok) expect(answer.error.what).toContain('SIGSEGV');
    });
  });
});

/** Ends the one process whose parent is this one and whose program is the sample's. */
async function killChildOfTest(): Promise<void> {
  const { readFile, readdir } = await import('node:fs/promises');
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const [stat, command] = await Promise.all(
      ['stat', 'cmdline'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
    );
    const parent = Number(stat?.split(') ')[1]?.split(' ')[1]);
    if (parent === process.pid && command?.includes('sample-child')) process.kill(Number(pid), 'SIGSEGV');
  }
}
