import cliProgress from 'cli-progress';
import { formatBytes } from '../lib/format-quantity.js';
import type { ProgressEvent } from '../lib/work-context.js';
import type { Terminal } from './terminal.js';

/** Bars of the work that is going on, on stderr. */
export type ProgressBars = {
  readonly show: (event: ProgressEvent) => void;
  /** Removes the bars, so that a line can be printed or the process can end with the cursor shown. */
  readonly clear: () => void;
};

const format = '  {label} {bar} {percentage} % | {shown} | {eta_formatted} left';

/**
 * Makes progress bars, or nothing where bars are off.
 *
 * @param terminal - What the terminal shows.
 * @returns The bars.
 */
export function makeProgressBars(terminal: Terminal): ProgressBars {
  if (!terminal.bars) return { show: () => undefined, clear: () => undefined };
  const bars = new Map<string, cliProgress.SingleBar>();
  let multi: cliProgress.MultiBar | undefined;
  const clear = () => {
    multi?.stop();
    multi = undefined;
    bars.clear();
  };
  const show = (event: ProgressEvent) => {
    const total = event.total ?? event.done;
    multi ??= new cliProgress.MultiBar(
      // Ctrl-C is ours: with gracefulExit the library would swallow the first one.
      { format, clearOnComplete: true, hideCursor: true, stream: process.stderr, gracefulExit: false },
      cliProgress.Presets.shades_classic,
    );
    const payload = { label: event.label, shown: describeAmount(event, total) };
    const bar = bars.get(event.label) ?? multi.create(total, event.done, payload);
    bars.set(event.label, bar);
    bar.setTotal(total);
    bar.update(event.done, payload);
    if (event.total !== undefined && event.done >= event.total) {
      multi.remove(bar);
      bars.delete(event.label);
      if (bars.size === 0) clear();
    }
  };
  return { show, clear };
}

function describeAmount(event: ProgressEvent, total: number): string {
  return event.unit === 'bytes'
    ? `${formatBytes(event.done)} of ${formatBytes(total)}`
    : `${event.done} of ${total}`;
}
