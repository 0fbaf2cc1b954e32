import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startEarlier } from '../../src/bench/link/calibrate-link.js';
import { type LinkModel, makeSharedLink } from '../../src/bench/link/link-model.js';

const even = { jitterMs: 0, perConnectionBytesPerSecond: null };

function openLink(model: Pick<LinkModel, 'latencyMs' | 'bytesPerSecond'> & Partial<LinkModel>) {
  const link = makeSharedLink({ ...even, ...model });
  return { ...link, begin: (nowMs: number) => link.connect().begin(nowMs) };
}

describe('makeSharedLink', () => {
  it('lets the first byte pass after the latency and the rest at the rate', () => {
    const transfer = openLink({ latencyMs: 20, bytesPerSecond: 1_000_000 }).begin(100);
    expect(transfer.send(1000)).toBe(121);
    expect(transfer.send(9000)).toBe(130);
  });

  it('shares the rate: two transfers at once take as long as both one after the other', () => {
    const link = openLink({ latencyMs: 0, bytesPerSecond: 1_000_000 });
    const [left, right] = [link.begin(0), link.begin(0)];
    for (let chunk = 0; chunk < 9; chunk += 1) {
      left.send(1000);
      right.send(1000);
    }
    expect(left.send(1000)).toBe(19);
    expect(right.send(1000)).toBe(20);
  });

  it('lets latencies of parallel requests pass at the same time', () => {
    const link = openLink({ latencyMs: 50, bytesPerSecond: 1_000_000 });
    const [left, right] = [link.begin(0), link.begin(10)];
    expect([left.firstByteAtMs, right.firstByteAtMs]).toEqual([50, 60]);
    expect([left.send(1000), right.send(1000)]).toEqual([51, 61]);
  });

  it('saves up no rate while nothing is sent', () => {
    const link = openLink({ latencyMs: 0, bytesPerSecond: 1_000_000 });
    link.begin(0).send(1000);
    expect(link.begin(500).send(1000)).toBe(501);
  });

  it('loses the time in which the receiver held a transfer up', () => {
    const transfer = openLink({ latencyMs: 0, bytesPerSecond: 1_000_000 }).begin(0);
    transfer.send(1000);
    transfer.resumeAt(40);
    expect(transfer.send(1000)).toBe(41);
  });

  it('does not let a resume that comes early make the link faster', () => {
    const transfer = openLink({ latencyMs: 0, bytesPerSecond: 1_000_000 }).begin(0);
    transfer.send(5000);
    transfer.resumeAt(1);
    expect(transfer.send(1000)).toBe(6);
  });

  it('carries never more than rate × time, whatever is asked of it in whatever pieces', () => {
    const request = fc.record({
      atMs: fc.integer({ min: 0, max: 50 }),
      chunks: fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 20 }),
    });
    fc.assert(
      fc.property(
        fc.array(request, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1000, max: 1e8 }),
        (requests, rate) => {
          const link = openLink({ latencyMs: 5, bytesPerSecond: rate });
          const arrivals = requests.map(({ atMs, chunks }) => {
            const transfer = link.begin(atMs);
            return chunks.map((chunk) => transfer.send(chunk)).at(-1) ?? 0;
          });
          const sent = requests.flatMap(({ chunks }) => chunks).reduce((sum, chunk) => sum + chunk, 0);
          const firstMs = Math.min(...requests.map(({ atMs }) => atMs));
          expect(Math.max(...arrivals) - firstMs - 5).toBeGreaterThanOrEqual((sent * 1000) / rate - 1e-6);
        },
      ),
    );
  });

  it('holds one connection to its own rate, and leaves the rest to others', () => {
    const link = makeSharedLink({
      ...even,
      latencyMs: 0,
      bytesPerSecond: 4e6,
      perConnectionBytesPerSecond: 1e6,
    });
    const [left, right] = [link.connect().begin(0), link.connect().begin(0)];
    expect([left.send(1000), right.send(1000), left.send(1000), right.send(1000)]).toEqual([1, 1, 2, 2]);
  });

  it('lets the replies of one connection pass one after the other', () => {
    const connection = makeSharedLink({ ...even, latencyMs: 5, bytesPerSecond: 1e6 }).connect();
    const [first, second] = [connection.begin(0), connection.begin(0)];
    expect(first.send(10_000)).toBe(15);
    expect(second.send(1000)).toBe(16);
    expect(connection.begin(2).firstByteAtMs).toBe(16);
  });

  it('draws each latency from the jitter around it, the same ones in every run', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 200, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (latencyMs, share) => {
          const model = { ...even, latencyMs, jitterMs: latencyMs * share, bytesPerSecond: 1e6 };
          const draw = () => {
            const link = makeSharedLink(model);
            return Array.from({ length: 20 }, () => link.connect().begin(0).firstByteAtMs);
          };
          const drawn = draw();
          expect(Math.min(...drawn)).toBeGreaterThanOrEqual(latencyMs - model.jitterMs - 1e-9);
          expect(Math.max(...drawn)).toBeLessThanOrEqual(latencyMs + model.jitterMs + 1e-9);
          if (model.jitterMs > 1) expect(new Set(drawn).size).toBeGreaterThan(10);
          expect(draw()).toEqual(drawn);
        },
      ),
    );
  });

  /** Downloads on several connections at once, whose timers come late by what the list says, over and over. */
  function simulate(model: LinkModel, chunkCount: number, connections: number, lateMs: readonly number[]) {
    const link = makeSharedLink(model);
    const flows = Array.from({ length: connections }, (_, index) => {
      const transfer = link.connect().begin(0);
      return { index, transfer, dueMs: transfer.firstByteAtMs, leftChunks: chunkCount };
    });
    const arrivals: { index: number; atMs: number }[] = [];
    for (let turn = 0; arrivals.length < chunkCount * connections; turn += 1) {
      const [next] = flows
        .filter((flow) => flow.leftChunks > 0)
        .sort((left, right) => left.dueMs - right.dueMs);
      if (next === undefined) break;
      const atMs = next.transfer.send(chunkBytes);
      arrivals.push({ index: next.index, atMs });
      next.dueMs = atMs + (lateMs[turn % lateMs.length] ?? 0);
      next.leftChunks -= 1;
    }
    return { arrivals, firstByteAtMs: flows.map((flow) => flow.transfer.firstByteAtMs) };
  }

  const chunkBytes = 1000;
  const setting = fc.record({
    connections: fc.integer({ min: 1, max: 6 }),
    chunks: fc.integer({ min: 1, max: 60 }),
    rate: fc.integer({ min: 100_000, max: 5_000_000 }),
    share: fc.double({ min: 0.1, max: 1, noNaN: true }),
    jitterMs: fc.constantFrom(0, 4),
    lateMs: fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { minLength: 1, maxLength: 9 }),
  });

  it('is never faster than its rate, neither for all connections together nor for one', () => {
    fc.assert(
      fc.property(setting, ({ connections, chunks, rate, share, jitterMs, lateMs }) => {
        const alone = rate * share;
        const model = { latencyMs: 5, jitterMs, bytesPerSecond: rate, perConnectionBytesPerSecond: alone };
        const { arrivals, firstByteAtMs } = simulate(model, chunks, connections, lateMs);
        const inTime = arrivals.toSorted((left, right) => left.atMs - right.atMs);
        const [startMs, seen] = [Math.min(...firstByteAtMs), new Map<number, number>()];
        for (const [count, { index, atMs }] of inTime.entries()) {
          const own = (seen.get(index) ?? 0) + chunkBytes;
          seen.set(index, own);
          const ownMs = atMs - (firstByteAtMs[index] ?? Number.NaN);
          expect((own * 1000) / alone).toBeLessThanOrEqual(ownMs + 1e-6);
          expect(((count + 1) * chunkBytes * 1000) / rate).toBeLessThanOrEqual(atMs - startMs + 1e-6);
        }
      }),
    );
  });

  it('leaves nothing of its rate unused while all have something to send, however late timers come', () => {
    fc.assert(
      fc.property(setting, ({ connections, chunks, rate, share, lateMs }) => {
        const alone = rate * share;
        const model = { latencyMs: 0, jitterMs: 0, bytesPerSecond: rate, perConnectionBytesPerSecond: alone };
        const { arrivals } = simulate(model, chunks, connections, lateMs);
        // Arrivals of one connection follow each other, so that its last one stays.
        const lastMs = new Map(arrivals.map(({ index, atMs }) => [index, atMs]));
        // One that is late again and again gets behind the others; when they have ended, it is held to its own rate.
        const firstEndMs = Math.min(...lastMs.values());
        const passed = chunkBytes * arrivals.filter(({ atMs }) => atMs <= firstEndMs).length;
        const usable = Math.min(rate, connections * alone);
        // Each has a chunk under way then: a matter of connections, never of how many chunks there are.
        const underWay = connections * chunkBytes;
        expect((usable * firstEndMs) / 1000 - passed).toBeLessThanOrEqual(underWay + 1e-6);
      }),
    );
  });
});

describe('startEarlier', () => {
  it('lets the latency begin before the request has arrived, and changes no rate', () => {
    const link = startEarlier(makeSharedLink({ ...even, latencyMs: 5, bytesPerSecond: 1e6 }), 0.25);
    const transfer = link.connect().begin(100);
    expect(transfer.firstByteAtMs).toBe(104.75);
    expect(transfer.send(1000)).toBe(105.75);
    expect(link.connect().begin(105).firstByteAtMs).toBe(109.75);
  });
});
