// The table of bench-link.mjs.
import { markdownTable } from 'markdown-table';

const mostDeviation = 0.05;
/** No two requests take the same time to a smaller part of a millisecond, shaped or not. */
const latencyGrainMs = 0.1;
const head = [
  'link',
  'shaper',
  'asked MB/s',
  'median',
  'min–max',
  'off',
  'asked ms',
  'median',
  'min–max',
  'off',
  'CPU of one core',
];

/**
 * Prints what was asked and what was seen.
 * @param {readonly object[]} rows - Name, shaper, `rate` and `latency` with `asked`, `median`, `min`, `max`, `deviation`.
 * @returns {string[]} Lines.
 */
export function printLinkTable(rows) {
  const lines = rows.map(({ name, shaper, rate, latency, cpuShare }) => [
    name,
    shaper,
    ...figures(rate, 1e6),
    ...(latency === null ? ['', '', '', ''] : figures(latency, 1)),
    `${(100 * cpuShare).toFixed(0)} %`,
  ]);
  const off = rows.filter(
    ({ rate, latency }) => isOff(rate, 0) || (latency !== null && isOff(latency, latencyGrainMs)),
  );
  const verdict =
    off.length === 0
      ? `every median is within 5 % of what was asked, or within ${latencyGrainMs} ms of the latency`
      : `NOT within 5 %: ${off.map(({ name, shaper }) => `${name} (${shaper})`).join('; ')}`;
  return [markdownTable([head, ...lines], { align: ['l', 'l', ...Array(9).fill('r')] }), '', verdict];
}

function figures({ asked, median, min, max, deviation }, unit) {
  const print = (value) => (value / unit).toFixed(2);
  return [
    String(Number((asked / unit).toPrecision(4))),
    print(median),
    `${print(min)}–${print(max)}`,
    `${deviation < 0 ? '−' : '+'}${(100 * Math.abs(deviation)).toFixed(1)} %`,
  ];
}

function isOff({ asked, median }, grain) {
  return !(Math.abs(median - asked) <= Math.max(grain, asked * mostDeviation));
}
