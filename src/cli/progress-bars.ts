import type { MultiBar, SingleBar } from 'cli-progress';
import { formatBytes } from '../lib/format-quantity.js';
import type { ProgressEvent } from '../lib/work-context.js';
import type { Terminal } from './terminal.js';

/** Bars of the work that is going on, on stderr. */
export type ProgressBars = {
  readonly show: (event: ProgressEvent) => void;
  /** Removes the bars, so that a line can be printed or the process can end with the cursor shown. */
  readonly clear: () => void;
};

const format = '  {label} {bar} {percentage} %{fields}';
/** Columns that the format takes beside label, bar and fields, at 100 %. */
const formatColumns = '    100 %'.length;
/** Columns of all but the bar, with a long label; where there are fewer, fields are left out. */
const besideBar = 93;
const [narrowestBar, widestBar] = [8, 40];

/**
 * Makes progress bars, or nothing where bars are off.
 *
 * @param terminal - What the terminal shows.
 * @returns The bars.
 */
export async function makeProgressBars(terminal: Terminal): Promise<ProgressBars> {
  if (!terminal.bars) return { show: () => undefined, clear: () => undefined };
  const { default: cliProgress } = await import('cli-progress');
  const look = { format, clearOnComplete: true, hideCursor: true };
  const barsize = Math.min(widestBar, Math.max(narrowestBar, (terminal.columns ?? 80) - besideBar));
  const bars = new Map<string, SingleBar>();
  const startsMs = new Map<string, number>();
  let multi: MultiBar | undefined;
  const clear = () => {
    multi?.stop();
    multi = undefined;
    bars.clear();
    startsMs.clear();
  };
  const show = (event: ProgressEvent) => {
    const total = event.total ?? event.done;
    multi ??= new cliProgress.MultiBar(
      // Ctrl-C is ours: with gracefulExit the library would swallow the first one.
      { ...look, barsize, stream: process.stderr, gracefulExit: false },
      cliProgress.Presets.shades_classic,
    );
    const startMs = startsMs.get(event.label) ?? performance.now();
    startsMs.set(event.label, startMs);
    const passedMs = performance.now() - startMs;
    const columns = process.stderr.columns || terminal.columns || 80;
    const fields = fitFields(
      describeFields(event, passedMs),
      columns - formatColumns - barsize - event.label.length,
    );
    const payload = { label: event.label, fields };
    const bar = bars.get(event.label) ?? multi.create(total, event.done, payload);
    bars.set(event.label, bar);
    bar.setTotal(total);
    bar.update(event.done, payload);
    if (event.total !== undefined && event.done >= event.total) {
      multi.remove(bar);
      bars.delete(event.label);
      startsMs.delete(event.label);
      if (bars.size === 0) clear();
    }
  };
  return { show, clear };
}

/** Amount, time left and speed, where there is something to go by. */
function describeFields(event: ProgressEvent, passedMs: number): readonly string[] {
  const total = event.total ?? event.done;
  return [
    describeAmount(event, total),
    describeLeft(event.done, total, passedMs),
    describeSpeed(event, passedMs),
  ].filter((field) => field !== '');
}

/**
 * Leaves out the last fields until the rest fits, whole: a number cut off in the middle is a wrong one.
 *
 * @param fields - Texts, the most important first.
 * @param columns - What there is room for.
 * @returns The fields that fit, each behind a line.
 */
export function fitFields(fields: readonly string[], columns: number): string {
  const kept = [...fields];
  const show = (): string => kept.map((field) => ` | ${field}`).join('');
  while (show().length > Math.max(columns, 0)) kept.pop();
  return show();
}

function describeAmount(event: ProgressEvent, total: number): string {
  return event.unit === 'bytes'
    ? `${formatBytes(event.done)} of ${formatBytes(total)}`
    : `${event.done} of ${total}`;
}

/** Of what is counted in bytes; nothing until there is something to go by. */
function describeSpeed({ done, unit }: ProgressEvent, passedMs: number): string {
  if (unit !== 'bytes' || done <= 0 || passedMs < 500) return '';
  return `${formatBytes(Math.round((done * 1000) / passedMs))}/s`;
}

/** Nothing until there is something to go by. */
function describeLeft(done: number, total: number, passedMs: number): string {
  if (done <= 0 || done >= total || passedMs < 500) return '';
  const seconds = Math.ceil(((passedMs / done) * (total - done)) / 1000);
  return seconds < 90 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`;
}
