import type { InvocationPath } from '../lib/invocation-path.js';
import type { Objective } from '../lib/objective.js';
import type { PickCandidate, PickSamples } from './pick-candidate.js';

/** What must hold before a candidate may win. */
type PickRequirements = {
  readonly parity: 'pass' | 'any';
  readonly budgets: 'pass' | 'any';
  /** `no`: what is bound to a runtime version or a processor by what it is never wins. */
  readonly bound: 'no' | 'any';
};

/** What a candidate may not exceed; null where nothing is asked. Times are 95th percentiles, never medians. */
export type PickLimits = {
  readonly totalP95Ms: number | null;
  readonly readyP95Ms: number | null;
  readonly steadyP95Ms: number | null;
  readonly costPer100kUsd: number | null;
  /** Of the artifact. */
  readonly sizeBytes: number | null;
};

/** Memory of the functions that candidates are compared at, and what was measured besides, MiB; null for the whole machine. */
type ComparedMemory = {
  readonly memoryMiB: number | null;
  readonly othersMiB: readonly (number | null)[];
};

/** What is minimised, and what must hold. */
export type PickRules = {
  readonly objective: Objective;
  readonly require: PickRequirements;
  readonly limits: PickLimits;
  readonly invokedThrough: InvocationPath;
  readonly compared: ComparedMemory;
};

/** A variant that was asked for and could not be made. */
export type UnmadeVariant = { readonly variantId: string; readonly reason: string };

/** What {@link pickWinner} is asked. */
export type PickOptions = PickRules & {
  readonly candidates: readonly PickCandidate[];
  readonly leftOut: readonly UnmadeVariant[];
};

/**
 * Tells whether measuring tells two contenders apart, by samples of the same quantity.
 *
 * @param left - Samples of one.
 * @param right - Samples of the other.
 * @param comparisons - How many pairs could be compared, ≥ 1: among many, some seem apart by luck.
 * @returns `unknown` where too few samples say nothing.
 */
export type TellsApart = (
  left: PickSamples,
  right: PickSamples,
  comparisons: number,
) => 'different' | 'same' | 'unknown';
