import type { ElementType } from '../lib/tensor.js';
import type { Engine, InferencePrecision } from '../lib/variant.js';
import type { Finding } from '../messages/finding.js';

/** What counts as the same; every bound that is given is part of the verdict. */
export type ParityBounds = {
  /** Relative to the reference, ≥ 0. */
  readonly rtol: number;
  /** Absolute, ≥ 0, in the output's unit. */
  readonly atol: number;
  /** Lowest cosine between whole outputs of real numbers, −1 to 1. */
  readonly cosine?: number | undefined;
  /** Largest absolute difference, ≥ 0. */
  readonly maxAbs?: number | undefined;
};

/** One output of both models, measured and judged; `null` where there is nothing to measure. */
export type OutputParity = {
  readonly name: string;
  readonly status: 'equal' | 'within' | 'outside' | 'skipped';
  /** One clause. */
  readonly reason: string;
  readonly type: ElementType | null;
  /** The reference's. */
  readonly dims: readonly number[];
  readonly count: number;
  /** Over pairs that are finite on both sides. */
  readonly maxAbsError: number | null;
  /** Over the same pairs, without those whose reference is 0 while the candidate's is not. */
  readonly maxRelError: number | null;
  /** Over the same pairs as `maxAbsError`; real numbers only. */
  readonly cosine: number | null;
  readonly nanReference: number;
  readonly nanCandidate: number;
  readonly nanBoth: number;
  readonly infReference: number;
  readonly infCandidate: number;
  /** Elements beyond `atol + rtol·|reference|`, or not exactly equal where they are no real numbers. */
  readonly outsideCount: number;
  /** Place, in row-major order, of the element that needs the largest multiple of the tolerance. */
  readonly worstIndex: number | null;
  /** Smallest rtol that every element passes with the given atol; null when none does. */
  readonly neededRtol: number | null;
  /** Smallest atol that every element passes with the given rtol; null when none does. */
  readonly neededAtol: number | null;
  /** Largest finite magnitude of the reference; real numbers only. */
  readonly maxAbsReference: number | null;
  /** Share, 0 to 1, of the reference's finite elements whose magnitude is not above atol; real numbers only. */
  readonly belowAtolShare: number | null;
  /** All finite elements of the reference are one number. */
  readonly isConstant: boolean;
  /** What would pass the bounds in the candidate's place, so that passing them proves nothing; null when neither does. */
  readonly passedBy: 'zeros' | 'constant' | null;
};

/**
 * What comparing two models came to. `partial`: what could be compared passed, but not all could; `inconclusive`:
 * nothing that was compared proves anything.
 */
export type ParityVerdict = 'pass' | 'fail' | 'partial' | 'inconclusive';

/** What computed one side; null where it did not come to that. */
export type ParityEngine = {
  readonly engine: Engine;
  readonly version: string | null;
  /** What FP32 operations were computed in, read back from the engine. */
  readonly inference: InferencePrecision | null;
};

/** Two models, compared on the same inputs; plain JSON data. */
export type ParityResult = {
  readonly verdict: ParityVerdict;
  readonly reference: string;
  readonly candidate: string;
  readonly bounds: ParityBounds;
  readonly outputs: readonly OutputParity[];
  /** Operators of either model that draw random numbers without a seed. */
  readonly nondeterministic: readonly string[];
  readonly findings: readonly Finding[];
  readonly engines: { readonly reference: ParityEngine; readonly candidate: ParityEngine };
  /** One sentence. */
  readonly reason: string;
};
