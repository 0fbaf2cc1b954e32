import type { InferencePrecision } from '../lib/variant.js';
import type { WorkContext } from '../lib/work-context.js';
import { OptimiseModelError } from '../messages/error.js';
import { describeEngineIsolated } from '../runtimes/run-isolated.js';

/**
 * Refuses what this processor cannot compute in: OpenVINO would compute in FP32 without a word.
 *
 * @param inference - What is wanted.
 * @param context - Its signal stops the looking.
 * @throws `inference-not-available`; `runtime-missing`, `runtime-unusable`.
 */
export async function refuseInference(inference: InferencePrecision, context: WorkContext): Promise<void> {
  // All of them can.
  if (inference === 'f32') return;
  const { device, inferencePrecisions } = await describeEngineIsolated('openvino', context);
  if (inferencePrecisions.includes(inference)) return;
  const facts = { inference, device, available: inferencePrecisions };
  throw OptimiseModelError.of('inference-not-available', facts);
}
