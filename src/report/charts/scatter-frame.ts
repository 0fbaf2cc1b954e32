import type { PlotOptions } from '@observablehq/plot';

/**
 * Sets what our charts of two measures against each other share.
 *
 * @param across - What the horizontal axis counts, with its unit.
 * @param up - What the vertical axis counts, with its unit.
 * @returns Options of the frame; both axes begin at 0, so that distances are what they look like.
 */
export function scatterFrame(across: string, up: string): PlotOptions {
  const axis = { labelArrow: 'none', zero: true, nice: true, tickSize: 0, grid: false } as const;
  return {
    width: 940,
    height: 360,
    marginLeft: 64,
    marginRight: 110,
    marginTop: 28,
    marginBottom: 42,
    className: 'plot',
    style: { background: 'none', fontFamily: 'inherit', fontSize: '12px' },
    x: { ...axis, label: across, labelAnchor: 'center' },
    y: { ...axis, label: up, labelAnchor: 'top' },
  };
}
