import { describe, expect, it } from 'vitest';
import { findExpectation, refuseUnknownExpectation } from '../src/find-expectation.js';
import type { Pipeline } from '../src/pipeline/read-pipeline.js';
import { makePipeline } from './fixtures/measured-run.js';
import { writeReleasedModel } from './fixtures/released-model.js';
import { useTempFolder } from './fixtures/temp-folder.js';

const temporaryFolder = useTempFolder();
const { signal } = new AbortController();
const last = { variantId: 'fp16.single', delivery: 'lazy', startMode: 'on-demand', memoryMiB: null } as const;

function storedIn(to: string): Pipeline {
  const pipeline = makePipeline({ name: 'tiny' });
  return { ...pipeline, name: 'tiny', stage: { ...pipeline.stage, to } };
}

describe('the choice that is expected', () => {
  it('is that of the release that is current, where it was recorded', async () => {
    const { store } = await writeReleasedModel('s3-copy', 1);
    const { expected, notes } = await findExpectation(storedIn(store), 'recorded', async () => last, signal);
    expect(expected?.name).toMatch(/^fp32\.single:s3-copy$/);
    expect(expected?.recordedIn).toContain(`current in ${store}`);
    expect(notes).toEqual([]);
  });

  it('is that of the last run where no release is current, and nothing at all before the first', async () => {
    const pipeline = storedIn(await temporaryFolder());
    expect(await findExpectation(pipeline, 'recorded', async () => last, signal)).toEqual({
      expected: { name: 'fp16.single:lazy:on-demand', recordedIn: 'the last run in /out' },
      notes: [],
    });
    const { expected, notes } = await findExpectation(pipeline, 'recorded', async () => null, signal);
    expect(expected).toBeNull();
    expect(notes).toMatchObject([{ code: 'pick-nothing-recorded', severity: 'warning' }]);
  });

  it('is what was named', async () => {
    const found = await findExpectation(storedIn('/s'), 'fp32.single', async () => last, signal);
    expect(found.expected).toEqual({ name: 'fp32.single', recordedIn: null });
  });

  it('is refused before anything is done when the pipeline asks for no such variant', () => {
    const pipeline = makePipeline({ variants: [{ precision: 'fp32' }] });
    for (const name of [undefined, 'recorded', 'fp32.single:lazy', 'fp32.external'])
      expect(() => refuseUnknownExpectation(pipeline, name)).not.toThrow();
    expect(() => refuseUnknownExpectation(pipeline, 'fp32.singel:lazy')).toThrow(
      expect.objectContaining({
        code: 'pick-expected-unknown',
        facts: expect.objectContaining({ nearest: 'fp32.single' }),
      }),
    );
  });
});
