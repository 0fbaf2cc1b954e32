import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeSharedLink } from '../../src/bench/link/link-model.js';

describe('makeSharedLink', () => {
  it('lets the first byte pass after the latency and the rest at the rate', () => {
    const transfer = makeSharedLink({ latencyMs: 20, bytesPerSecond: 1_000_000 }).begin(100);
    expect(transfer.send(1000)).toBe(121);
    expect(transfer.send(9000)).toBe(130);
  });

  it('shares the rate: two transfers at once take as long as both one after the other', () => {
    const link = makeSharedLink({ latencyMs: 0, bytesPerSecond: 1_000_000 });
    const [left, right] = [link.begin(0), link.begin(0)];
    for (let chunk = 0; chunk < 9; chunk += 1) {
      left.send(1000);
      right.send(1000);
    }
    expect(left.send(1000)).toBe(19);
    expect(right.send(1000)).toBe(20);
  });

  it('lets latencies of parallel requests pass at the same time', () => {
    const link = makeSharedLink({ latencyMs: 50, bytesPerSecond: 1_000_000 });
    const [left, right] = [link.begin(0), link.begin(10)];
    expect([left.firstByteAtMs, right.firstByteAtMs]).toEqual([50, 60]);
    expect([left.send(1000), right.send(1000)]).toEqual([51, 61]);
  });

  it('saves up no rate while nothing is sent', () => {
    const link = makeSharedLink({ latencyMs: 0, bytesPerSecond: 1_000_000 });
    link.begin(0).send(1000);
    expect(link.begin(500).send(1000)).toBe(501);
  });

  it('loses the time in which the receiver held a transfer up', () => {
    const transfer = makeSharedLink({ latencyMs: 0, bytesPerSecond: 1_000_000 }).begin(0);
    transfer.send(1000);
    transfer.resumeAt(40);
    expect(transfer.send(1000)).toBe(41);
  });

  it('does not let a resume that comes early make the link faster', () => {
    const transfer = makeSharedLink({ latencyMs: 0, bytesPerSecond: 1_000_000 }).begin(0);
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
          const link = makeSharedLink({ latencyMs: 5, bytesPerSecond: rate });
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
});
