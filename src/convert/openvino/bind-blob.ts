import type { Processor } from '../../lib/processor.js';
import { OptimiseModelError } from '../../messages/error.js';
import type { RuntimeNeed } from '../../store/runtime-need.js';

/** Binds what a compiled model needs to the version that compiled it. */
type Binder = (need: RuntimeNeed, engineVersion: string) => RuntimeNeed;

/**
 * Prepares to bind a compiled model to where it is made. Where that cannot be described nothing is to be compiled: such a
 * model would be opened anywhere, and be wrong or crash.
 *
 * @param processor - What it is compiled for.
 * @returns What binds it.
 * @throws `processor-unknown` when nothing says what the processor can do.
 */
export function prepareBinding({ architecture, instructionSets }: Processor): Binder {
  if (instructionSets.length === 0) throw OptimiseModelError.of('processor-unknown', { architecture });
  return (need, engineVersion) => ({
    ...need,
    minimumVersion: engineVersion,
    architecture,
    boundTo: { kind: 'compiled-blob', engineVersion, instructionSets },
  });
}
