/** What is inside a model. */
export { type ModelSummary, summariseModel as inspectModel } from '../onnx/summarise-model.js';
export { renderInspectText } from '../report/text/inspect-text.js';
