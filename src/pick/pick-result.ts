import type { Objective, ObjectiveUnit } from '../lib/objective.js';
import type { Finding } from '../messages/finding.js';
import type { Evidence, PickCandidate } from './pick-candidate.js';
import type { UnmadeVariant } from './pick-rules.js';

/** What tells candidates apart before they are measured. */
export type CandidateName = Pick<PickCandidate, 'variantId' | 'delivery' | 'startMode' | 'memoryMiB'>;

/** What is shipped and why. */
export type PickWinner = CandidateName & {
  readonly value: number;
  readonly unit: ObjectiveUnit;
  /** What the value rests on. */
  readonly evidence: readonly Evidence[];
  /** What the artifact is bound to by what it is; null for nothing. */
  readonly binding: string | null;
  readonly reason: string;
};

/** What is not shipped and why; without a value when it could not compete. */
export type PickLoser = CandidateName & {
  readonly value: number | null;
  /**
   * Its value ÷ the winner's; null when it could not compete or there is no winner. Below 1 where the difference is
   * noise and something else decided.
   */
  readonly ratioToWinner: number | null;
  readonly evidence: readonly Evidence[];
  readonly reason: string;
};

/** The choice and the reason for each candidate. */
export type PickResult = {
  readonly objective: Objective;
  readonly winner: PickWinner | null;
  /** First those that competed, best first. */
  readonly losers: readonly PickLoser[];
  readonly notComparable: readonly (CandidateName & { readonly reason: string })[];
  /** What was asked for and could not be made. */
  readonly leftOut: readonly UnmadeVariant[];
  readonly findings: readonly Finding[];
};
