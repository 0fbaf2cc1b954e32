import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LinkModel } from '../../src/bench/link/link-model.js';
import { startLoopbackServer } from '../../src/bench/link/loopback-server.js';
import { measureLink } from '../../src/bench/link/measure-link.js';
import { judgeLink, planProbe } from '../../src/bench/link/verify-link.js';

const asked: LinkModel = {
  latencyMs: 20,
  jitterMs: 0,
  bytesPerSecond: 90e6,
  perConnectionBytesPerSecond: null,
};

describe('judgeLink', () => {
  it('has nothing to say of a link within 5 %', () => {
    expect(judgeLink(asked, { bytesPerSecond: 94.4e6, latencyMs: 20.9 })).toEqual([]);
    expect(judgeLink(asked, { bytesPerSecond: 85.6e6, latencyMs: 19.1 })).toEqual([]);
  });

  it.each([
    ['too slow', { bytesPerSecond: 85e6, latencyMs: 20 }],
    ['too fast', { bytesPerSecond: 95e6, latencyMs: 20 }],
    ['too late', { bytesPerSecond: 90e6, latencyMs: 21.1 }],
    ['too early', { bytesPerSecond: 90e6, latencyMs: 18.9 }],
    ['not measured', { bytesPerSecond: Number.NaN, latencyMs: 20 }],
  ])('warns of a link that is %s, with what was asked and what was seen', (_what, achieved) => {
    expect(judgeLink(asked, achieved)).toMatchObject([
      {
        code: 'bench-link-off',
        severity: 'warning',
        facts: {
          askedBytesPerSecond: 90e6,
          achievedBytesPerSecond: achieved.bytesPerSecond,
          askedLatencyMs: 20,
          achievedLatencyMs: achieved.latencyMs,
        },
      },
    ]);
  });

  it('lets half a millisecond pass where 5 % are less than that, and the jitter that was asked for', () => {
    const short = { ...asked, latencyMs: 1 };
    expect(judgeLink(short, { bytesPerSecond: 90e6, latencyMs: 1.4 })).toEqual([]);
    expect(judgeLink(short, { bytesPerSecond: 90e6, latencyMs: 1.6 })).toHaveLength(1);
    expect(judgeLink({ ...asked, jitterMs: 5 }, { bytesPerSecond: 90e6, latencyMs: 25.9 })).toEqual([]);
    expect(judgeLink({ ...asked, jitterMs: 5 }, { bytesPerSecond: 90e6, latencyMs: 26.1 })).toHaveLength(1);
  });

  it('asks connections for no more than each of them may have', () => {
    const narrow = { ...asked, perConnectionBytesPerSecond: 1e6 };
    expect(planProbe(narrow)).toMatchObject({ connections: 32, askedBytesPerSecond: 32e6 });
    expect(judgeLink(narrow, { bytesPerSecond: 32e6, latencyMs: 20 })).toEqual([]);
    expect(planProbe({ ...asked, perConnectionBytesPerSecond: 10e6 })).toMatchObject({
      connections: 9,
      askedBytesPerSecond: 90e6,
    });
  });
});

describe('planProbe', () => {
  it('fills any link for about a second and a half, but downloads at most 512 MiB', () => {
    const rate = fc.double({ min: 1e5, max: 1e12, noNaN: true });
    fc.assert(
      fc.property(rate, fc.option(rate), (bytesPerSecond, alone) => {
        const model = { ...asked, bytesPerSecond, perConnectionBytesPerSecond: alone };
        const { sizeBytes, connections, askedBytesPerSecond } = planProbe(model);
        expect(sizeBytes).toBeLessThanOrEqual(512 * 2 ** 20);
        expect(sizeBytes / askedBytesPerSecond).toBeLessThan(1.6);
        expect(connections).toBeGreaterThanOrEqual(4);
        expect(askedBytesPerSecond).toBeLessThanOrEqual(bytesPerSecond);
      }),
    );
  });
});

describe('measureLink', () => {
  // Not an assertion of speed: a reply never comes earlier than the model says; how late is the machine's affair.
  it('finds the latency and the rate of a folder server', async () => {
    const model = { ...asked, latencyMs: 10, bytesPerSecond: 2e6, perConnectionBytesPerSecond: 0.6e6 };
    const server = await startLoopbackServer([tmpdir()], model);
    try {
      const probe = { sizeBytes: 300_000, connections: 2, requests: 3 };
      const seen = await measureLink(server.endpoint, probe, new AbortController().signal);
      // A little of it was begun before, for what the server needs itself.
      expect(seen.latencyMs).toBeGreaterThan(9);
      expect(seen.bytesPerSecond).toBeGreaterThan(0);
    } finally {
      await server.close();
    }
  });

  it.each([
    ['small requests', 60_000],
    ['downloads', 1],
  ])('ends in the middle of %s when it is told to', async (_what, latencyMs) => {
    const server = await startLoopbackServer([tmpdir()], { ...asked, latencyMs, bytesPerSecond: 1000 });
    try {
      const abort = new AbortController();
      const probe = { sizeBytes: 1_000_000, connections: 2, requests: 1 };
      const measured = measureLink(server.endpoint, probe, abort.signal);
      setTimeout(() => abort.abort(new Error('enough')), 60);
      await expect(measured).rejects.toThrow('enough');
    } finally {
      await server.close();
    }
  });
});
