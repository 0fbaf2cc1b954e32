import { expect, it } from 'vitest';
import { pickWinner } from '../../src/pick/pick-winner.js';
import { candidate, measures, usualRules } from './candidates.js';

const at = (total: number) => measures({ total, ready: 10, steady: 1, init: 20, firstCall: 5 });
const restored = candidate({ startMode: 'snapstart', measures: at(50) });
const codes = (total: number) => {
  const candidates = [candidate({ measures: at(total) }), restored];
  const { findings } = pickWinner({ ...usualRules, candidates, leftOut: [] }, () => 'different');
  return findings.map(({ code }) => code);
};

it('a winner with SnapStart says that it takes a container image, and only then', () => {
  expect(codes(100)).toContain('pick-snapstart-needs-image');
  expect(codes(20)).not.toContain('pick-snapstart-needs-image');
});
