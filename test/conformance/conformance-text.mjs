// The report of a conformance run for people.
import { markdownTable } from 'markdown-table';
import { leastShare } from './summarise-cases.mjs';

const namesShown = 3;
const reasonLength = 160;

const comparedWith = {
  stored: 'stored outputs',
  own: 'outputs of the source (the runtime does not give the stored ones)',
  shape: 'types and shapes (random numbers)',
  nothing: 'nothing, for want of tensors or of a run,',
};

/**
 * Writes the table, then what is wrong and what was not run, with reasons.
 * @param {{ folder: string, durationMs: number, precisions: object[], judgements: object[], fallen: string[] }} result -
 *   Of a run.
 * @returns {string} Lines.
 */
export function printConformance({ folder, durationMs, precisions, judgements, fallen }) {
  const head = ['precision', 'cases', 'right', 'wrong', 'not run', 'convertible', 'converted', 'share'];
  const rows = precisions.map(({ precision, cases, right, wrong, notRun, unit, expected, found, share }) => [
    ...[precision, cases, right, wrong, notRun],
    ...[`${expected} ${unit}`, found, share === null ? '–' : `${(100 * share).toFixed(2)} %`],
  ]);
  const align = ['l', 'r', 'r', 'r', 'r', 'r', 'r', 'r'];
  return [
    `${folder} (${(durationMs / 1000).toFixed(0)} s)`,
    markdownTable([head, ...rows], { align }),
    '',
    ...precisions.flatMap(describePrecision),
    ...listWrong(judgements),
    ...listNotRun(judgements),
    ...listMissing(judgements),
    ...(fallen.length === 0 ? [] : ['', 'less is converted than was recorded:', ...fallen]),
    precisions.every(({ isRight }) => isRight) && fallen.length === 0
      ? 'passed'
      : `failed: every case must be right, ${100 * leastShare} % converted, and no case less than recorded`,
  ].join('\n');
}

function describePrecision({ precision, compared, allowed, unit, byReason }) {
  const reasons = Object.entries(byReason).map(([reason, number]) => `${number} ${reason}`);
  return [
    `${precision}: compared with ${Object.entries(compared)
      .map(([kind, number]) => `${comparedWith[kind]} ${number}`)
      .join(', ')}`,
    `${precision}: of ${allowed} FP32 ${unit} that operators take in FP16, rules keep ${reasons.join(', ') || 'none'}`,
  ];
}

function listWrong(judgements) {
  const own = judgements.filter(({ status }) => status === 'wrong');
  if (own.length === 0) return [];
  return [
    '',
    'wrong:',
    ...own.map(({ name, precision, reasons }) => `- ${name}, ${precision}: ${reasons.join('; ')}`),
  ];
}

/** By reason, since many cases share one; the record has all of them. */
function listNotRun(judgements) {
  const byReason = new Map();
  for (const { name, status, reasons } of judgements) {
    if (status !== 'not-run') continue;
    const reason = reasons
      .join('; ')
      .replace(/'[^']*'/g, "'…'")
      .slice(0, reasonLength);
    byReason.set(reason, (byReason.get(reason) ?? new Set()).add(name));
  }
  if (byReason.size === 0) return [];
  const lines = [...byReason]
    .sort(([, left], [, right]) => right.size - left.size)
    .map(([reason, names]) => `- ${names.size} × ${reason} (${listNames([...names])})`);
  return ['', 'not run by onnxruntime; types, names, inputs and outputs were checked:', ...lines];
}

function listNames(names) {
  const shown = names.slice(0, namesShown).join(', ');
  return names.length > namesShown ? `${shown}, …` : shown;
}

function listMissing(judgements) {
  const lines = judgements.flatMap(({ name, precision, nodes, weights }) => {
    const { missing } = (precision === 'fp16' ? nodes : weights) ?? { missing: [] };
    return missing.length === 0 ? [] : [`- ${name}, ${precision}: ${missing.join(', ')}`];
  });
  return lines.length === 0 ? [] : ['', 'convertible, but not converted:', ...lines, ''];
}
