import type { PlotOptions } from '@observablehq/plot';

const characterWidth = 6.7;

/**
 * Sets the size, margins and scales that our charts share: rows below each other, milliseconds along.
 *
 * @param rows - Names of the rows, in order.
 * @param rowHeight - Pixels per row.
 * @returns Options of the frame.
 */
export function frameOf(rows: readonly string[], rowHeight: number): PlotOptions {
  const longest = Math.max(...rows.map((row) => row.length));
  return {
    width: 940,
    height: rows.length * rowHeight + 46,
    marginLeft: Math.min(340, Math.round(longest * characterWidth) + 16),
    marginRight: 72,
    marginTop: 6,
    marginBottom: 40,
    className: 'plot',
    style: { background: 'none', fontFamily: 'inherit', fontSize: '12px' },
    x: {
      label: 'milliseconds',
      labelAnchor: 'center',
      labelArrow: 'none',
      zero: true,
      nice: true,
      tickSize: 0,
    },
    y: { label: null, domain: [...rows], tickSize: 0 },
  };
}
