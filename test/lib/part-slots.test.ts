import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PartSlots } from '../../src/lib/part-slots.js';

describe('places for parts', () => {
  it('are never more than there are, are given in the order of the calls, and use their buffers again', async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 5 }), async (partSizes, count) => {
        const slots = new PartSlots(count);
        const buffers = new Set<ArrayBufferLike>();
        const order: number[] = [];
        let [taken, most] = [0, 0];
        const work = partSizes.map((size, index) =>
          slots.use(size, async (buffer) => {
            order.push(index);
            taken += 1;
            most = Math.max(most, taken);
            expect(buffer).toHaveLength(size);
            buffer.fill(index);
            buffers.add(buffer.buffer);
            await sleep(size % 3);
            // Nobody else had it meanwhile.
            expect(buffer.every((byte) => byte === index)).toBe(true);
            taken -= 1;
          }),
        );
        await Promise.all(work);
        expect(order).toEqual(partSizes.map((_, index) => index));
        expect(most).toBeLessThanOrEqual(count);
      }),
      { numRuns: 30 },
    );
  });

  it('take no more memory for a thousand parts than for as many as there are places', async () => {
    const slots = new PartSlots(3);
    const buffers = new Set<ArrayBufferLike>();
    const use = () => slots.use(1000, async (buffer) => void buffers.add(buffer.buffer));
    await Promise.all(Array.from({ length: 1000 }, use));
    expect(buffers.size).toBeLessThanOrEqual(3);
  });

  it('are free again after work that failed', async () => {
    const slots = new PartSlots(1);
    await expect(slots.use(1, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await slots.use(1, async () => 'done')).toBe('done');
  });
});
