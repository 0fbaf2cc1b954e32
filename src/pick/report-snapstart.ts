import { makeFinding } from '../messages/finding.js';
import type { Choice } from './choose-contender.js';
import type { Caveat } from './list-caveats.js';
import { nameCandidate } from './name-candidate.js';

/** Where it is said which functions SnapStart takes, and when that was read. */
const source = {
  url: 'https://docs.aws.amazon.com/lambda/latest/dg/snapstart-runtime-hooks-custom.html',
  asOf: '2026-11-30',
} as const;

/**
 * Says what a handler on Node.js takes to be restored from a snapshot: as a zip file it is not.
 *
 * @param choice - The choice.
 * @returns One caveat where SnapStart won.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/snapstart-runtime-hooks-custom.html
 */
export function reportSnapstart({ winner: { candidate } }: Choice): readonly Caveat[] {
  if (candidate.startMode !== 'snapstart') return [];
  const facts = { winner: nameCandidate(candidate), source: source.url, asOf: source.asOf };
  return [{ clause: null, finding: makeFinding('warning', 'pick-snapstart-needs-image', facts) }];
}
