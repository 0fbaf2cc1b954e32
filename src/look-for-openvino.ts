import { isReasonToLeaveOut } from './leave-out-variant.js';
import type { OptimiseModelError } from './messages/error.js';
import type { Pipeline } from './pipeline/read-pipeline.js';
import { findOpenvino } from './runtimes/openvino/find-openvino.js';

/** The OpenVINO that a run can use: its version, or why there is none. */
export type OpenvinoHere = {
  /** Null where none was asked for, where there is none, and where it does not say. */
  readonly version: string | null;
  readonly missing: OptimiseModelError | null;
};

/**
 * Looks for OpenVINO where a pipeline asks for it, once for all its variants.
 *
 * @param pipeline - Its variants.
 * @returns What is there.
 * @throws What is wrong with a path that was named, which is no reason to go on without it.
 */
export async function lookForOpenvino({ variants }: Pipeline): Promise<OpenvinoHere> {
  if (!variants.some(({ engine }) => engine === 'openvino')) return { version: null, missing: null };
  try {
    return { version: (await findOpenvino()).version, missing: null };
  } catch (error) {
    if (!isReasonToLeaveOut(error)) throw error;
    return { version: null, missing: error };
  }
}
