// What the measurements of `bench-stage.mjs` are to show.

/** What one run of ours may hold in memory, all its processes together. */
const peakLimitBytes = 300e6;

/**
 * Compares uploads: ours must not be slower than the fastest peer.
 * @param {readonly object[]} rows - As measured, ours first.
 * @returns {object[]} Ratios with their goals.
 */
export function uploadRatios(rows) {
  const [ours, ...peers] = rows.filter(({ id }) => id !== 'floor');
  if (peers.length === 0) return [];
  const fastest = peers.reduce((best, row) => (row.wallMs < best.wallMs ? row : best));
  return [
    ratioOf(`fastest peer (${fastest.label}) / ours`, fastest, ours, { atLeast: 1 }),
    ...peers.filter((row) => row !== fastest).map((row) => ratioOf(`${row.label} / ours`, row, ours, {})),
  ];
}

/**
 * Compares downloads: ours must be faster than every `aws s3 cp`; what s5cmd leaves out is said with its ratio.
 * @param {readonly object[]} rows - As measured, ours first.
 * @returns {object[]} Ratios with their goals.
 */
export function downloadRatios(rows) {
  const [ours, ...peers] = rows.filter(({ id }) => id !== 'floor');
  return peers.map((row) =>
    row.ignores === null
      ? ratioOf(`${row.label} / ours`, row, ours, { atLeast: 1.3 })
      : ratioOf(`ours / ${row.label}, which ${row.ignores}`, ours, row, {}),
  );
}

/**
 * Compares downloads over a link with the time that the link needs.
 * @param {readonly object[]} rows - As measured, ours first.
 * @param {number} linkMs - The link's own time.
 * @returns {object[]} Ratios with their goals.
 */
export function linkRatios(rows, linkMs) {
  const link = { wallMs: linkMs };
  return rows.map((row) =>
    ratioOf(`${row.label} / the link's own time`, row, link, row.id === 'ours' ? { atMost: 1.1 } : {}),
  );
}

/**
 * Looks at the memory of ours.
 * @param {readonly (readonly object[])[]} tables - Rows as measured.
 * @returns {{ peakBytes: number | null, atMostBytes: number, isMet: boolean | null }} The largest peak and its limit.
 */
export function findPeak(tables) {
  const peaks = tables.flat().flatMap(({ id, maxPeakBytes }) => (id === 'ours' ? [maxPeakBytes] : []));
  const peakBytes = peaks.length === 0 || peaks.includes(null) ? null : Math.max(...peaks);
  const isMet = peakBytes === null ? null : peakBytes <= peakLimitBytes;
  return { peakBytes, atMostBytes: peakLimitBytes, isMet };
}

function ratioOf(name, over, under, { atLeast = null, atMost = null }) {
  const ratio = over.wallMs / under.wallMs;
  const isMet = (atLeast === null || ratio >= atLeast) && (atMost === null || ratio <= atMost);
  return { name, ratio, atLeast, atMost, isMet };
}
