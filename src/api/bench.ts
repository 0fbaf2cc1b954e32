/** How long a process takes from its start to its first answer, and what to ship therefore. */
export type { BenchOptions } from '../bench/bench-options.js';
export type { BenchResult, BenchRow, BenchSample } from '../bench/bench-result.js';
export { benchmark } from '../bench/benchmark.js';
export { importLambdaRuns } from '../bench/import/import-lambda-runs.js';
export type { ImportOptions } from '../bench/import/import-options.js';
export type { ImportResult, ImportRow } from '../bench/import/import-result.js';
export { prepareInputs } from '../inputs/prepare-inputs.js';
export type { PickCandidate } from '../pick/pick-candidate.js';
export type { PickResult } from '../pick/pick-result.js';
export { pickWinner } from '../pick/pick-winner.js';
export { renderBenchText } from '../report/text/bench-text.js';
export { renderImportText } from '../report/text/import-text.js';
export { renderPickText } from '../report/text/pick-text.js';
export { renderSweepText } from '../report/text/sweep-text.js';
export { renderTuneText } from '../report/text/tune-text.js';
