import type { BenchResult } from './bench/bench-result.js';
import { fewestSamples } from './lib/sample-counts.js';
import { type Finding, makeFinding } from './messages/finding.js';

/** What a gate says: `no` the run is slower than accepted, `unjudged` that could not be told, `ok` else. */
export type GateStatus = 'ok' | 'no' | 'unjudged';

const statuses = { pass: 'ok', fail: 'no', inconclusive: 'unjudged' } as const;

/**
 * Says whether a run may be published as far as the release that it was compared with goes.
 *
 * @param bench - What was measured; null when nothing was.
 * @returns The status; `ok` where there was no release to compare with.
 */
export function judgeGate(bench: BenchResult | null): GateStatus {
  if (bench === null) return 'ok';
  if (bench.baseline !== null) return statuses[bench.baseline.verdict];
  return bench.findings.some(({ code }) => code === 'bench-baseline-not-comparable') ? 'unjudged' : 'ok';
}

/**
 * Says whether a run is published, as far as what is current in the store goes.
 *
 * @param outcome - What was measured, and what there is to say about the run.
 * @returns The status of the gate; `unjudged` as well where the current release ships what could not be made here.
 */
export function judgeRelease({
  bench,
  notes,
}: {
  readonly bench: BenchResult | null;
  readonly notes: readonly Finding[];
}): GateStatus {
  const status = judgeGate(bench);
  const isHeld = notes.some(({ code }) => code === 'run-held-back-left-out');
  return status === 'ok' && isHeld ? 'unjudged' : status;
}

/**
 * Says why what was picked is not published.
 *
 * @param bench - What was measured.
 * @returns One finding of the run; none where the gate is open.
 */
export function explainGate(bench: BenchResult | null): readonly Finding[] {
  const status = judgeGate(bench);
  if (status === 'ok') return [];
  const verdict = bench?.baseline ?? null;
  const neededSamples = verdict?.total.verdict === 'too-few-samples' ? fewestSamples : null;
  const facts = {
    release: verdict?.release ?? null,
    verdict: verdict?.verdict ?? 'not-comparable',
    neededSamples,
  };
  return [makeFinding(status === 'no' ? 'error' : 'warning', 'run-held-back', facts)];
}
