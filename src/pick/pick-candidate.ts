import type { Delivery } from '../lib/delivery.js';
import type { Layout } from '../lib/variant.js';
import type { Finding } from '../messages/finding.js';

/** What can be minimised, in the design's words. */
export const objectives = ['total', 'ready', 'steady', 'size'] as const;
/** One of {@link objectives}. */
export type Objective = (typeof objectives)[number];

/** Medians in milliseconds; null when there is no measurement. */
type PickMetrics = {
  readonly totalMs: number | null;
  readonly readyMs: number | null;
  readonly steadyMs: number | null;
};

/** What another verb said about a candidate. */
type PickVerdict = { readonly verdict: string; readonly reason: string };

/** One variant by one delivery, with everything the choice rests on. */
export type PickCandidate = {
  readonly variantId: string;
  readonly delivery: Delivery;
  readonly layout: Layout;
  /** The artifact, bytes. */
  readonly sizeBytes: number;
  /** Null when parity was not judged. */
  readonly parity: PickVerdict | null;
  /** Null when no budget was checked. */
  readonly budget: PickVerdict | null;
  readonly metrics: PickMetrics;
  /** Lowest and highest sample per metric, milliseconds; what is not given is not judged for noise. */
  readonly spreads?: Readonly<
    Partial<Record<keyof PickMetrics, { readonly min: number; readonly max: number }>>
  >;
  /** Objectives on which the measurement leaves something out. */
  readonly notComparable: readonly { readonly objective: Objective; readonly reason: string }[];
  /** Samples taken, failed ones included; 0 without a measurement. */
  readonly runs: number;
  /** Samples that died. */
  readonly failures: number;
};

/** What must hold before a candidate may win. */
export type PickRequirements = { readonly parity: 'pass' | 'any'; readonly budgets: 'pass' | 'any' };

/** What {@link pickWinner} is asked. */
export type PickOptions = {
  readonly candidates: readonly PickCandidate[];
  readonly objective: Objective;
  readonly require: PickRequirements;
};

/** What is shipped and why. */
type PickWinner = {
  readonly variantId: string;
  readonly delivery: Delivery;
  readonly value: number;
  readonly unit: 'ms' | 'bytes';
  readonly reason: string;
};

/** What is not shipped and why; without a value when it could not compete. */
export type PickLoser = {
  readonly variantId: string;
  readonly delivery: Delivery;
  readonly value: number | null;
  /**
   * Its value ÷ the winner's; null when it could not compete or there is no winner. Below 1, by 2 % at most, where the
   * difference is noise and something else decided.
   */
  readonly ratioToWinner: number | null;
  readonly reason: string;
};

/** The choice and the reason for each candidate. */
export type PickResult = {
  readonly objective: Objective;
  readonly winner: PickWinner | null;
  /** First those that competed, best first. */
  readonly losers: readonly PickLoser[];
  readonly notComparable: readonly {
    readonly variantId: string;
    readonly delivery: Delivery;
    readonly reason: string;
  }[];
  readonly findings: readonly Finding[];
};
