import type { PlotOptions } from '@observablehq/plot';

const characterWidth = 6.7;

/**
 * Sets the size, margins and scales that our charts share: rows below each other, time along.
 *
 * @param rows - Names of the rows, in order.
 * @param rowHeight - Pixels per row.
 * @param longestMs - The longest time shown; from 20 s on the axis counts seconds.
 * @returns Options of the frame.
 */
export function frameOf(rows: readonly string[], rowHeight: number, longestMs: number): PlotOptions {
  const isSeconds = longestMs >= 20_000;
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
      label: isSeconds ? 'seconds' : 'milliseconds',
      ...(isSeconds ? { tickFormat: (ms: number) => String(ms / 1000) } : {}),
      labelAnchor: 'center',
      labelArrow: 'none',
      zero: true,
      nice: true,
      tickSize: 0,
    },
    y: { label: null, domain: [...rows], tickSize: 0 },
  };
}
