/** What several verbs take or return, and how it is written. */
import '../messages/catalogue.js';

export { formatBytes, formatMs } from '../lib/format-quantity.js';
export type { Phases } from '../lib/phases.js';
export type { NamedTensors, Tensor, ValueSpec } from '../lib/tensor.js';
export type { ProgressEvent, WorkContext } from '../lib/work-context.js';
export { OptimiseModelError } from '../messages/error.js';
export type { Finding } from '../messages/finding.js';
export type { TextSettings } from '../report/text/draw-table.js';
export type { ArtifactRecord } from '../store/artifact-record.js';
export type { ReleaseRecord } from '../store/release-record.js';
