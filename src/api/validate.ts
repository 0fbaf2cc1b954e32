/** Whether two models give the same outputs. */
export type { InputSpec } from '../inputs/input-spec.js';
export { renderParityText } from '../report/text/parity-text.js';
export type { ParityBounds, ParityResult } from '../validate/parity-result.js';
export { validateParity } from '../validate/validate-parity.js';
