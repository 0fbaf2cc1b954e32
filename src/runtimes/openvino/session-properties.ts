import type { InferencePrecision } from '../../lib/variant.js';
import type { CompileProperties } from '../../native/openvino/compile-model.js';
import type { SessionSettings } from '../runtime.js';

/**
 * Says in OpenVINO's words how a session runs: one stream, for the time of one inference rather than for many at once;
 * and as other engines run. Left alone, for the time of one inference it takes no second thread of a core, and it pins
 * threads to processors, which are then the same ones in every process, and of no use where a quota moves them.
 *
 * @param settings - The session's settings.
 * @returns Its properties.
 * @see https://docs.openvino.ai/2026/openvino-workflow/running-inference/inference-devices-and-modes/cpu-device.html
 */
export function makeProperties(
  settings: Pick<SessionSettings, 'threads' | 'inference' | 'cacheFolder' | 'isMapped'>,
): CompileProperties {
  const { threads, inference, cacheFolder, isMapped } = settings;
  return {
    core: {
      ENABLE_MMAP: isMapped ? 'YES' : 'NO',
      ...(cacheFolder === null ? {} : { CACHE_DIR: cacheFolder }),
    },
    device: {
      PERFORMANCE_HINT: 'LATENCY',
      NUM_STREAMS: '1',
      INFERENCE_NUM_THREADS: String(threads),
      ENABLE_HYPER_THREADING: 'YES',
      ENABLE_CPU_PINNING: 'NO',
      INFERENCE_PRECISION_HINT: inference,
    },
  };
}

const spellings: Readonly<Record<string, InferencePrecision>> = {
  f32: 'f32',
  float32: 'f32',
  bf16: 'bf16',
  bfloat16: 'bf16',
  f16: 'f16',
  float16: 'f16',
};

/**
 * Reads back what FP32 operations are computed in.
 *
 * @param text - `INFERENCE_PRECISION_HINT` of a compiled model.
 * @returns The precision in our words.
 * @throws An error for a precision that no row could be labelled with.
 */
export function parsePrecision(text: string): InferencePrecision {
  const found = spellings[text.trim()];
  if (found === undefined) throw new Error(`it says it computes in \`${text}\`, which is not known here`);
  return found;
}

/**
 * Reads back how many threads there are: never more than processors, whatever was asked for.
 *
 * @param text - `INFERENCE_NUM_THREADS` of a compiled model.
 * @returns Threads, ≥ 1.
 * @throws An error for what is no such number.
 */
export function parseThreads(text: string): number {
  const threads = Number(text);
  if (!Number.isSafeInteger(threads) || threads < 1) throw new Error(`it says it has \`${text}\` threads`);
  return threads;
}
