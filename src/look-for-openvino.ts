import { isReasonToLeaveOut } from './leave-out-variant.js';
import { describeProcessor, type Processor } from './lib/processor.js';
import type { WorkContext } from './lib/work-context.js';
import type { OptimiseModelError } from './messages/error.js';
import type { Pipeline } from './pipeline/read-pipeline.js';
import { findOpenvino } from './runtimes/openvino/find-openvino.js';
import { describeEngineIsolated } from './runtimes/run-isolated.js';

/** The OpenVINO that a run can use: its version, or why there is none. */
export type OpenvinoHere = {
  /** Null where none was asked for, and where there is none. */
  readonly version: string | null;
  readonly missing: OptimiseModelError | null;
  /** That it computes on: what was made or proven with it on another one is made and proven again. */
  readonly processor: Processor;
};

/**
 * Looks for OpenVINO where a pipeline asks for it, once for all its variants, and tries it out in a process of its own.
 *
 * @param pipeline - Its variants.
 * @param context - Its signal ends the process.
 * @returns What is there.
 * @throws What is wrong with a path that was named, which is no reason to go on without it.
 */
export async function lookForOpenvino({ variants }: Pipeline, context: WorkContext): Promise<OpenvinoHere> {
  const processor = describeProcessor();
  if (!variants.some(({ engine }) => engine === 'openvino'))
    return { version: null, missing: null, processor };
  try {
    const { version } = await describeEngineIsolated('openvino', context);
    return { version, missing: null, processor };
  } catch (error) {
    if (!isReasonToLeaveOut(error)) throw error;
    return { version: null, missing: error, processor };
  }
}

/**
 * Refuses a library that was named and is none, where a pipeline asks for OpenVINO; nothing is started.
 *
 * @param pipeline - Its variants.
 * @throws `openvino-path-wrong`.
 */
export async function refuseWrongLibrary({ variants }: Pick<Pipeline, 'variants'>): Promise<void> {
  if (!process.env.OPENVINO_LIB_PATH || !variants.some(({ engine }) => engine === 'openvino')) return;
  await findOpenvino();
}
