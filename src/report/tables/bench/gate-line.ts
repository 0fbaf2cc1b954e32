import type { Tone } from '../../../lib/paint-text.js';
import type { BenchReport } from '../../documents/bench-result.js';
import { writeRatio } from '../write-ratio.js';
import { writeRowName } from './name-row.js';

/** One line with how it is shown. */
export type ToneLine = { readonly text: string; readonly tone: Tone };

const outcomes = {
  pass: { words: 'passes', tone: 'good' },
  fail: { words: 'fails', tone: 'bad' },
  inconclusive: { words: 'could not be judged', tone: 'warn' },
} as const;

/**
 * Says what a comparison with a release came to.
 *
 * @param baseline - The verdict.
 * @returns One line without a full stop.
 */
export function describeGate(baseline: NonNullable<BenchReport['baseline']>): ToneLine {
  const { release, candidate, total, mostRatio, verdict } = baseline;
  const { words, tone } = outcomes[verdict];
  const name = writeRowName(candidate);
  const before = writeRowName({ ...baseline.baseline, variantId: stripRelease(baseline.baseline.variantId) });
  const old = before === name ? '' : ` (${before})`;
  const text = `Gate: ${name} is ${writeRatio(total)} release ${release}${old}; accepted ≤ ${writeMost(mostRatio)}: ${words}`;
  // Too few samples are said beside the ratio.
  const isWide = verdict === 'inconclusive' && total.verdict !== 'too-few-samples';
  return { text: isWide ? `${text}, the interval reaches to both sides of it` : text, tone };
}

/** A release's rows are named `VARIANT@RELEASE` among those of the run. */
function stripRelease(variantId: string): string {
  return variantId.replace(/@.*$/, '');
}

function writeMost(ratio: number): string {
  const short = ratio.toFixed(2);
  return Number(short) === ratio ? short : String(ratio);
}
