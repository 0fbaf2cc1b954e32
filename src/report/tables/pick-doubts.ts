import type { PickReport } from '../documents/pick-result.js';

const doubts: Readonly<Record<string, string>> = {
  'pick-unproven-winner': 'parity not proven',
  'pick-winner-over-budget': 'over budget',
  'pick-bound-winner': 'bound',
};

/**
 * Lists, in two words each, what a winner was chosen in spite of; its reason has the whole story.
 *
 * @param pick - The choice.
 * @returns Such as `parity not proven`; empty when nothing speaks against the winner.
 */
export function listDoubts({ findings }: PickReport): readonly string[] {
  return findings.flatMap(({ code }) => doubts[code] ?? []);
}
