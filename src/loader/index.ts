// The package entry `optimise-model/loader`, listed by hand: what a Lambda handler imports.
export type { Delivery } from '../lib/delivery.js';
export type { PhaseSums, Phases } from '../lib/phases.js';
export { sumPhases } from '../lib/phases.js';
export type { OptimisationLevel, SessionOptions } from '../lib/session-options.js';
export type { ElementType, NamedTensors, Tensor, TensorData, ValueSpec } from '../lib/tensor.js';
export type { Variant } from '../lib/variant.js';
export { OptimiseModelError } from '../messages/error.js';
export type { ColdStartLog } from './cold-start-log.js';
export { openModel } from './open-model.js';
export type { OpenOptions } from './open-options.js';
export type { OpenedModel } from './opened-model.js';
export type { MeasuredPhases } from './phase-clock.js';
