// What the deliveries of the study's model must reach, judged by the rows of a benchmark.
import { compareSamples } from '../../dist/bench/statistics/ratio-interval.js';
import { listSteadyMedians, samplesOf } from '../../dist/bench/statistics/row-samples.js';

const [fp32, halved] = ['fp32.single', 'fp16-weights.single'];

/**
 * Judges a benchmark of the study's model.
 * @param {{ rows: readonly object[], comparisons: readonly object[], samples: readonly object[] }} bench - As `bench --json` has it.
 * @returns {readonly { goal: string, value: number | null, most: number, isAlike?: boolean }[]} Each with what it may be at most.
 */
export function judgeDeliveries(bench) {
  const find = (variantId, delivery) =>
    bench.rows.find((row) => row.variantId === variantId && row.delivery === delivery);
  const median = (row, quantity) => row?.phases[quantity]?.median ?? null;
  const share = (over, under) => (over === null || under === null ? null : over / under);
  const [plain, copy, stream] = [find(fp32, 's3-copy'), find(halved, 's3-copy'), find(halved, 'stream')];
  const direct = bench.rows.filter((row) => ['s3-copy', 'lazy'].includes(row.delivery));
  return [
    judge(
      'stream: load ÷ its physical limit',
      share(median(stream, 'loadMs'), stream?.limit?.loadMs ?? null),
      1.15,
    ),
    ...direct.map((row) =>
      judge(
        `${row.variantId} by ${row.delivery}: load ÷ (bytes ÷ link + own session)`,
        share(
          median(row, 'loadMs'),
          (row.limit?.linkMs ?? Number.NaN) + (median(row, 'sessionMs') ?? Number.NaN),
        ),
        1.15,
      ),
    ),
    judge(
      'load of fp16-weights ÷ fp32, s3-copy',
      share(median(copy, 'loadMs'), median(plain, 'loadMs')),
      0.65,
    ),
    judge(
      'session mapped without prepacking ÷ single file',
      share(median(stream, 'sessionMs'), median(plain, 'sessionMs')),
      0.15,
    ),
    judge(
      'steady mapped without prepacking ÷ single file',
      share(median(stream, 'steadyMs'), median(plain, 'steadyMs')),
      1.1,
    ),
    judgeSteady(bench, copy, plain),
  ];
}

/** Nothing that can be told apart, or little more. */
function judgeSteady(bench, row, against) {
  const steadyOf = (named) => (named === undefined ? [] : listSteadyMedians(samplesOf(named, bench.samples)));
  const compared = compareSamples(steadyOf(row), steadyOf(against), 1);
  const judged = judge(
    'steady fp16-weights ÷ fp32, or no measurable difference',
    compared?.ratio ?? null,
    1.03,
  );
  return { ...judged, isAlike: compared?.verdict === 'no-measurable-difference' };
}

function judge(goal, value, most) {
  return { goal, value: Number.isFinite(value) ? value : null, most };
}

/**
 * Writes judgements as lines.
 * @param {ReturnType<typeof judgeDeliveries>} judgements
 * @returns {readonly string[]} One line each.
 */
export function printJudgements(judgements) {
  return judgements.map(({ goal, value, most, isAlike = false }) => {
    if (value === null) return `–        at most ${most}  ${goal}: not measured`;
    const verdict = value <= most || isAlike ? 'reached' : 'not reached';
    return `${value.toFixed(3)}    at most ${most}  ${goal}: ${verdict}`;
  });
}
