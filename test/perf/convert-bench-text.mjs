// The tables of bench-convert.mjs.
import { markdownTable } from 'markdown-table';

const right = { align: ['l', ...Array(9).fill('r')] };

/** The comparison on the study's model as lines of text. */
export function printStudyModel({ sourceSizeBytes, rows, ratios, peak }) {
  const head = ['process', 'median ms', 'min–max', 'CPU ms', 'peak MB', 'written MB'];
  const lines = rows.map(({ label, wallMs, minWallMs, maxWallMs, cpuMs, maxPeakBytes, sizeBytes }) => [
    label,
    whole(wallMs),
    `${whole(minWallMs)}–${whole(maxWallMs)}`,
    whole(cpuMs),
    megabytes(maxPeakBytes),
    megabytes(sizeBytes),
  ]);
  const title = `ViT-B/8, ${megabytes(sourceSizeBytes)} MB FP32, files in the page cache, ${rows[0].runs} runs in turns`;
  return ['', title, markdownTable([head, ...lines], right), '', ...ratios.map(ratioLine), peakLine(peak)];
}

/** The deep graphs as lines of text. */
export function printDeepGraphs({ rows, growth, ratios }) {
  const head = [
    'nodes',
    'graph',
    'converter',
    'runs',
    'median ms',
    'min–max',
    'CPU ms',
    'ms per 1,000 nodes',
    'peak MB',
  ];
  const lines = rows.map((row) => [
    row.nodeCount.toLocaleString('en'),
    row.kind,
    row.id === 'peer' ? 'onnxruntime' : `ours ${row.precision}`,
    row.runs,
    row.isCut ? `> ${whole(row.wallMs)} (limit)` : whole(row.wallMs),
    `${whole(row.minWallMs)}–${whole(row.maxWallMs)}`,
    whole(row.cpuMs),
    row.msPerThousand.toFixed(1),
    megabytes(row.maxPeakBytes),
  ]);
  const slopes = growth.map(({ precision, steps, exponent, cpuExponent }) => {
    const parts = steps.map(({ from, to, msPerThousand }) => `${from}→${to}: ${msPerThousand.toFixed(2)}`);
    return `${precision}: ms per 1,000 nodes more ${parts.join(', ')}; exponent of growth ${exponent.toFixed(2)}, of CPU time ${cpuExponent?.toFixed(2) ?? '–'} (1 is linear)`;
  });
  const title =
    'deep graphs (clamped: a tenth of the nodes are Max, which onnxruntime keeps in FP32; plain: none)';
  return ['', title, markdownTable([head, ...lines], right), '', ...slopes, ...ratios.map(ratioLine)];
}

/** The conversion of the sparse model as lines of text. */
export function printSparse(sparse) {
  if (sparse.leftOut !== undefined) return ['', `10 GB model left out: ${sparse.leftOut}`];
  const { sourceSizeBytes, sizeBytes, wallMs, peakBytes } = sparse;
  const sizes = `${megabytes(sourceSizeBytes)} MB in sparse data files → ${megabytes(sizeBytes)} MB`;
  return [
    '',
    `${sizes}, fp16-weights.external: ${(wallMs / 1000).toFixed(1)} s, peak ${megabytes(peakBytes)} MB`,
  ];
}

function ratioLine({ name, ratio, atLeast, atMost, isMet, isLowerBound }) {
  const asked = [
    atLeast === null ? '' : `asked ≥ ${atLeast}`,
    atMost === null ? '' : `asked ≤ ${atMost}`,
  ].join('');
  const verdict = asked === '' ? '' : ` (${asked}: ${isMet ? 'met' : 'missed'})`;
  return `${name}: ${isLowerBound ? '> ' : ''}${ratio.toFixed(2)}${verdict}`;
}

function peakLine({ peakBytes, atMostBytes, isMet }) {
  const verdict = isMet === null ? 'not measured' : isMet ? 'met' : 'missed';
  return `largest peak of ours: ${megabytes(peakBytes)} MB (asked ≤ ${megabytes(atMostBytes)}: ${verdict})`;
}

function whole(value) {
  return value === null ? '–' : Math.round(value).toLocaleString('en');
}

function megabytes(bytes) {
  return bytes === null ? '–' : (bytes / 1e6).toFixed(1);
}
