/**
 * The public API: the verbs, a pipeline of them, and what their results are shown with. The loader that handlers import
 * is `optimise-model/loader`.
 */
export type { BenchOptions } from './bench/bench-options.js';
export type { BenchResult, BenchRow, BenchSample } from './bench/bench-result.js';
export { benchmark } from './bench/benchmark.js';
export {
  type CheckArtifactsOptions,
  checkArtifacts,
  type GateOptions,
  gateArtifacts,
} from './check/check-artifacts.js';
export type { BudgetRow, CheckResult } from './check/check-budgets.js';
export { type ProfileName, profileNames } from './check/lambda-limits.js';
export { convertModel } from './convert/convert-model.js';
export type { ConvertOptions, ConvertResult } from './convert/convert-options.js';
export { examineMachine } from './examine-machine.js';
export type { InputSpec } from './inputs/input-spec.js';
export { prepareInputs } from './inputs/prepare-inputs.js';
export { type Delivery, deliveries } from './lib/delivery.js';
export { formatBytes, formatMs } from './lib/format-quantity.js';
export type { Phases } from './lib/phases.js';
export type { NamedTensors, Tensor, ValueSpec } from './lib/tensor.js';
export {
  type Engine,
  engines,
  type Layout,
  layouts,
  type Precision,
  precisions,
  type Variant,
} from './lib/variant.js';
export type { ProgressEvent, WorkContext } from './lib/work-context.js';
export { makeRunView } from './make-run-view.js';
export { OptimiseModelError } from './messages/error.js';
export type { Finding } from './messages/finding.js';
export { type ModelSummary, summariseModel as inspectModel } from './onnx/summarise-model.js';
export { type Objective, objectives, type PickCandidate, type PickResult } from './pick/pick-candidate.js';
export { pickWinner } from './pick/pick-winner.js';
export { pickAgain } from './pick-again.js';
export type { PipelineOverrides } from './pipeline/apply-overrides.js';
export { findPipelineFile } from './pipeline/find-pipeline-file.js';
export { printYaml } from './pipeline/print-yaml.js';
export { type Pipeline, readPipeline } from './pipeline/read-pipeline.js';
export { findRunFolder, type RunRecord, readRunRecord } from './pipeline/run-record.js';
export type { StepEvent, StepReport } from './pipeline/run-steps.js';
export { type PublishResult, publishRelease } from './publish/publish-release.js';
export { renderRunHtml } from './report/html/run-html.js';
export { renderRunMarkdown } from './report/markdown/run-markdown.js';
export type { RunView } from './report/run-view.js';
export { renderConvertText } from './report/text/convert-text.js';
export type { TextSettings } from './report/text/draw-table.js';
export { renderInspectText } from './report/text/inspect-text.js';
export { renderRunText } from './report/text/run-text.js';
export { renderFetchText, renderPublishText, renderStageText } from './report/text/store-texts.js';
export {
  renderBenchText,
  renderCheckText,
  renderDoctorText,
  renderParityText,
  renderPickText,
} from './report/text/verb-texts.js';
export { writeReports } from './report/write-reports.js';
export { restoreOutcome } from './restore-outcome.js';
export { type RunOptions, type RunOutcome, type RunVerb, runPipeline, runVerbs } from './run-pipeline.js';
export { type FetchResult, fetchArtifact } from './stage/fetch-artifact.js';
export { type StageResult, stageArtifact } from './stage/stage-artifact.js';
export type { ArtifactRecord } from './store/artifact-record.js';
export type { ReleaseRecord } from './store/release-record.js';
export type { ParityBounds, ParityResult } from './validate/parity-result.js';
export { validateParity } from './validate/validate-parity.js';
