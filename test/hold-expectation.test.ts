import { describe, expect, it } from 'vitest';
import { holdExpectation } from '../src/hold-expectation.js';
import { pickWinner } from '../src/pick/pick-winner.js';
import { candidate, measures, usualRules } from './pick/candidates.js';

const at = (total: number) => measures({ total, ready: 1, steady: 1 });
const candidates = [
  candidate({ measures: at(100) }),
  candidate({ delivery: 'lazy', measures: at(200) }),
  candidate({ variantId: 'fp16-weights.single', measures: at(300) }),
  candidate({
    variantId: 'fp16.single',
    notComparable: [{ objective: 'total', reason: 'nobody states it' }],
  }),
];
const leftOut = [{ variantId: 'fp32.openvino.ir', reason: 'OpenVINO is not installed.' }];
const picked = pickWinner({ ...usualRules, candidates, leftOut }, () => 'different');

const named = (name: string) => ({ name, recordedIn: null });

describe('an expectation', () => {
  it('that is recorded is broken, too, by a run that has no such candidate', () => {
    const finding = holdExpectation(picked, { name: 'fp16.external:lazy', recordedIn: 'the release r' });
    expect(finding?.facts).toMatchObject({
      loss: 'it is no candidate any more',
      recordedIn: 'the release r',
    });
    expect(finding?.what).toContain('fp16.external:lazy was expected (by the release r)');
  });

  it.each(['fp32.single', 'fp32.single:s3-copy', 'fp32.single:s3-copy:on-demand'])('is met by %s', (name) => {
    expect(holdExpectation(picked, named(name))).toBeNull();
  });

  it.each([
    ['fp16-weights.single', "3.00 × the winner's total"],
    ['fp32.single:lazy', "2.00 × the winner's total"],
    ['fp16.single', 'not comparable: nobody states it'],
    ['fp32.openvino.ir', 'OpenVINO is not installed'],
  ])('of %s is broken, and says why that one lost', (expected, loss) => {
    const finding = holdExpectation(picked, named(expected));
    expect(finding).toMatchObject({ code: 'pick-not-expected', severity: 'error' });
    expect(finding?.facts).toMatchObject({ expected, picked: 'fp32.single:s3-copy:on-demand' });
    expect(finding?.facts.loss).toContain(loss);
    expect(finding?.facts.reason).toContain('lowest total');
  });

  it('is broken by no winner at all', () => {
    const [, , , last] = candidates;
    if (last === undefined) throw new Error('there are four');
    const none = pickWinner({ ...usualRules, candidates: [last], leftOut: [] }, () => 'different');
    expect(holdExpectation(none, named('fp16.single'))?.facts).toMatchObject({ picked: null });
  });

  it.each([
    ['fp16-weight.single', 'fp16-weights.single'],
    ['fp32.single:lzy', 'fp32.single:lazy'],
    ['nothing-like-it-at-all', null],
  ])('of %s, which is no candidate, is refused with what was meant', (expected, nearest) => {
    expect(() => holdExpectation(picked, named(expected))).toThrow(
      expect.objectContaining({
        code: 'pick-expected-unknown',
        exitCode: 2,
        facts: expect.objectContaining({ nearest }),
      }),
    );
  });
});
