import { describe, expect, it } from 'vitest';
import { preparePick } from '../src/pick-candidates.js';
import { makeBench, makeGround, makeImportRow, makePipeline, makeSamples } from './fixtures/measured-run.js';

describe('a run that was measured at several memories', () => {
  const pipeline = makePipeline({ bench: { deliveries: ['s3-copy'], memoryMiB: [1024, 2048] } });
  const benches = [1024, 2048].map((memoryMiB) => makeBench(makeSamples({ memoryMiB })));
  const [first = makeBench([])] = benches;
  const rows = benches.flatMap((each) => each.rows);
  const samples = benches.flatMap((each) => each.samples);
  const ground = { ...makeGround(), pipeline, bench: { ...first, rows, samples }, leftOut: [] };

  it('is chosen from at the first of them, and at another one that is asked for', () => {
    const memoriesOf = (askedMiB: number | null) => {
      const { options } = preparePick(ground, [], askedMiB);
      return { ...options.compared, used: options.candidates.map(({ memoryMiB }) => memoryMiB) };
    };
    expect(memoriesOf(null)).toEqual({ memoryMiB: 1024, othersMiB: [2048], used: [1024] });
    expect(memoriesOf(2048)).toEqual({ memoryMiB: 2048, othersMiB: [1024], used: [2048] });
  });

  it('is not chosen from at a memory of which nothing is known', () => {
    expect(() => preparePick(ground, [], 4096)).toThrow(
      expect.objectContaining({
        ...{ code: 'pick-memory-not-measured', exitCode: 2 },
        remedy: expect.stringContaining('--memory-mib 1024` or `--memory-mib 2048'),
      }),
    );
    const { options } = preparePick(ground, [makeImportRow({ memoryMiB: 4096 })], 4096);
    expect(options.candidates).toMatchObject([{ memoryMiB: 4096 }]);
  });
});
