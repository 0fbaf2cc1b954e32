/** What is inside a model or an artifact. */
export { type ArtifactInspection, findArtifactFolder, inspectArtifact } from '../inspect-artifact.js';
export { type ModelSummary, summariseModel as inspectModel } from '../onnx/summarise-model.js';
export { renderArtifactText } from '../report/text/artifact-text.js';
export { renderInspectText } from '../report/text/inspect-text.js';
