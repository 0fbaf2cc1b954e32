import type { InferencePrecision } from '../../lib/variant.js';
import { openOpenvino } from '../../native/openvino/open-openvino.js';
import type { EngineDescription } from '../isolated-message.js';
import { findOpenvino } from './find-openvino.js';

/** What OpenVINO calls what a device can do. */
const capabilityNames: Readonly<Record<InferencePrecision, string>> = {
  f32: 'FP32',
  bf16: 'BF16',
  f16: 'FP16',
};

/**
 * Loads OpenVINO into this process and lets it describe itself and the processor.
 *
 * @returns The description.
 * @throws `runtime-missing`, `openvino-path-wrong`, `runtime-unusable`.
 */
export async function describeOpenvino(): Promise<EngineDescription> {
  const { libraryPath } = await findOpenvino();
  const { version, device, capabilities } = await openOpenvino(libraryPath);
  const precisions = Object.keys(capabilityNames) as InferencePrecision[];
  const inferencePrecisions = precisions.filter((each) => capabilities.includes(capabilityNames[each]));
  return { version, libraryPath, device, inferencePrecisions };
}
