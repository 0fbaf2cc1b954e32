/** A pipeline of all verbs, its record and its reports. */

export type { Shipment, ShippedPick } from '../describe-shipment.js';
export { findExpectation } from '../find-expectation.js';
export { holdExpectation, isUnexpected } from '../hold-expectation.js';
export { judgeGate, judgeRelease } from '../judge-gate.js';
export { listMadeForOpenvino } from '../leave-out-variant.js';
export { refuseWrongLibrary } from '../look-for-openvino.js';
export { makeRunView } from '../make-run-view.js';
export { pickAgain } from '../pick-again.js';
export type { PipelineOverrides } from '../pipeline/apply-overrides.js';
export { findPipelineFile } from '../pipeline/find-pipeline-file.js';
export { printYaml } from '../pipeline/print-yaml.js';
export { type Pipeline, readPipeline } from '../pipeline/read-pipeline.js';
export { findRunFolder, type RunRecord, readRunRecord } from '../pipeline/run-record.js';
export type { StepEvent, StepReport } from '../pipeline/run-steps.js';
export { renderRunHtml } from '../report/html/run-html.js';
export { renderRunMarkdown } from '../report/markdown/run-markdown.js';
export { readImportDocument } from '../report/read-import-document.js';
export type { RunView } from '../report/run-view.js';
export { renderRunText } from '../report/text/run-text.js';
export { writeReports } from '../report/write-reports.js';
export { resolveWays } from '../resolve-ways.js';
export { restoreOutcome } from '../restore-outcome.js';
export { type RunOptions, type RunOutcome, runPipeline } from '../run-pipeline.js';
