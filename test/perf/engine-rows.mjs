// One table of a run whose variants are for several engines.
import { formatBytes } from '../../dist/lib/format-quantity.js';

/**
 * Sets the variants of a run side by side.
 * @param {object} run - `result` of `optimise-model run --json`.
 * @returns {{ columns: readonly string[], rows: readonly (readonly string[])[], notes: readonly string[] }} A row per
 *   variant and delivery, times in milliseconds as medians.
 */
export function tabulateEngines(run) {
  const { variants, parity, bench, pick, leftOut = [] } = run;
  const columns = [
    ...['Variant', 'Delivery', 'Bytes', '÷ source', 'Runtime', 'Load', 'Session', 'First', 'Steady'],
    ...['Total', 'Peak MiB', 'Max |Δ|', 'Parity'],
  ];
  const rows = bench.rows.map((row) => {
    const variant = variants.find(({ id }) => id === row.variantId);
    const judged = parity.find(({ variantId }) => variantId === row.variantId);
    const ms = (phase) => write(row.phases[phase]?.median, 0);
    return [
      ...[row.variantId, row.delivery, String(variant?.sizeBytes ?? '–')],
      write((variant?.sizeBytes ?? Number.NaN) / run.model.sizeBytes, 3),
      ...[ms('runtimeMs'), ms('loadMs'), ms('sessionMs'), ms('firstInferenceMs')],
      ...[write(row.phases.steadyMs?.median, 1), ms('totalMs')],
      write((row.peakRssBytes?.median ?? row.peakRssBytes ?? Number.NaN) / 1024 ** 2, 0),
      ...[writeError(judged), judged?.verdict ?? '–'],
    ];
  });
  const winner = pick?.winner;
  return {
    columns,
    rows,
    notes: [
      `Source ${formatBytes(run.model.sizeBytes)}; ms, medians.`,
      ...leftOut.map(({ variantId, reason }) => `Left out: ${variantId}: ${reason}`),
      winner ? `Pick: ${winner.variantId} by ${winner.delivery}: ${winner.reason}` : 'Pick: none',
    ],
  };
}

function writeError(judged) {
  const errors = (judged?.outputs ?? []).map(({ maxAbsError }) => Number(maxAbsError));
  return errors.length === 0 ? '–' : Math.max(...errors).toExponential(1);
}

function write(value, digits) {
  return Number.isFinite(value) ? value.toFixed(digits) : '–';
}
