// The tables of bench-stage.mjs.
import { markdownTable } from 'markdown-table';

const right = { align: ['l', 'r', 'r', 'r', 'r', 'r'] };

/** One comparison as lines of text. */
export function printTransfers({ title, rows, ratios, sizeBytes }) {
  const head = ['process', 'median s', 'min–max', 'MB/s', 'CPU s', 'peak MB'];
  const lines = rows.map(({ label, wallMs, minWallMs, maxWallMs, cpuMs, maxPeakBytes }) => [
    label,
    seconds(wallMs),
    `${seconds(minWallMs)}–${seconds(maxWallMs)}`,
    (sizeBytes / 1000 / wallMs).toFixed(0),
    seconds(cpuMs),
    megabytes(maxPeakBytes),
  ]);
  return [
    '',
    `${title}, ${rows[0].runs} runs in turns`,
    markdownTable([head, ...lines], right),
    '',
    ...ratios.map(ratioLine),
  ];
}

/** What the link was seen to do, as a line of text. */
export function printLinkCheck({ model, check, linkMs }) {
  const { bytesPerSecond, sizeBytes, isMet } = check;
  const asked = `${megabytes(model.bytesPerSecond)} MB/s after ${model.latencyMs} ms`;
  const seen = `one plain download of ${megabytes(sizeBytes)} MB got ${(bytesPerSecond / 1e6).toFixed(1)} MB/s`;
  const verdict = isMet ? 'within 5 %' : 'NOT within 5 %: what follows says nothing';
  return ['', `the link: ${asked}; ${seen}: ${verdict}; its own time for all files: ${seconds(linkMs)} s`];
}

/** The largest peak of ours as a line of text. */
export function printPeak({ peakBytes, atMostBytes, isMet }) {
  if (peakBytes === null) return [];
  const verdict = isMet ? 'met' : 'MISSED';
  return [
    '',
    `peak memory of ours: ${megabytes(peakBytes)} MB, goal ≤ ${megabytes(atMostBytes)} MB: ${verdict}`,
  ];
}

function ratioLine({ name, ratio, atLeast, atMost, isMet }) {
  const goal = atLeast === null ? atMost && `≤ ${atMost}` : `≥ ${atLeast}`;
  const verdict = goal === null ? '' : `, goal ${goal}: ${isMet ? 'met' : 'MISSED'}`;
  return `${name}: ${ratio.toFixed(2)}${verdict}`;
}

function seconds(durationMs) {
  return durationMs === null ? '–' : (durationMs / 1000).toFixed(2);
}

function megabytes(bytes) {
  return bytes === null ? '–' : (bytes / 1e6).toFixed(0);
}
