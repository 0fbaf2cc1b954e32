import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';

/** A drawn chart: an SVG element as text, coloured by the page's own variables. */
export type Svg = string;

/**
 * Draws a chart without a browser.
 *
 * @param options - Marks and scales, as Observable Plot takes them.
 * @returns The SVG, without scripts.
 */
export function drawPlot(options: Plot.PlotOptions): Svg {
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const drawn = Plot.plot({ ...options, document } as unknown as Plot.PlotOptions);
  return (drawn as unknown as { readonly outerHTML: string }).outerHTML;
}
