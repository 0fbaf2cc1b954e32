import type { RunReport } from './documents/run-result.js';

/** Everything a report of one run is drawn from: the same data as the `result` of `run --json`. */
export type RunView = RunReport;
