// Sums up judgements by precision.

/** What of the convertible nodes and weights of all cases must have become FP16. */
export const leastShare = 0.98;

/**
 * Sums up the judgements of a precision.
 * @param {readonly import('./judge-case.mjs').Judgement[]} judgements - Of all precisions.
 * @param {string} precision - Which.
 * @returns {object} Counts by status, and what was converted: nodes for `fp16`, weights for `fp16-weights`.
 */
export function summarisePrecision(judgements, precision) {
  const own = judgements.filter((judgement) => judgement.precision === precision);
  const count = (status) => own.filter((judgement) => judgement.status === status).length;
  const converted = sumCounts(
    own.flatMap(({ nodes, weights }) => (precision === 'fp16' ? nodes : weights) ?? []),
  );
  const share = converted.expected === 0 ? null : converted.found / converted.expected;
  return {
    precision,
    cases: own.length,
    right: count('right'),
    wrong: count('wrong'),
    notRun: count('not-run'),
    compared: countBy(own.map(({ compared }) => compared)),
    unit: precision === 'fp16' ? 'nodes' : 'weights',
    ...converted,
    share,
    isRight: count('wrong') === 0 && (share ?? 1) >= leastShare,
  };
}

function sumCounts(counts) {
  const sum = { allowed: 0, expected: 0, found: 0, byReason: {} };
  for (const { allowed, expected, found, byReason } of counts) {
    sum.allowed += allowed;
    sum.expected += expected;
    sum.found += found;
    for (const [reason, number] of Object.entries(byReason))
      sum.byReason[reason] = (sum.byReason[reason] ?? 0) + number;
  }
  return sum;
}

function countBy(words) {
  const counts = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
