/**
 * The words that flags and the pipeline file take. Nothing here loads a verb: the command line needs them before it
 * knows what it is asked for.
 */
export { type ProfileName, profileNames } from '../check/lambda-limits.js';
export { type CacheMode, cacheModes } from '../lib/cache-state.js';
export { type Delivery, deliveries } from '../lib/delivery.js';
export { type Fp32Rule, fp32Rules, type KeepRule } from '../lib/fp32-rules.js';
export { invocationPaths } from '../lib/invocation-path.js';
export { linkNames } from '../lib/link-names.js';
export { type Metric, metrics, type Weights } from '../lib/objective.js';
export { type StartMode, startModes } from '../lib/start-mode.js';
export {
  type Engine,
  engines,
  type InferencePrecision,
  inferencePrecisions,
  type Layout,
  layouts,
  type Precision,
  precisions,
  usualLayout,
  type Variant,
} from '../lib/variant.js';
export { type RunVerb, runVerbs } from '../run-verbs.js';
