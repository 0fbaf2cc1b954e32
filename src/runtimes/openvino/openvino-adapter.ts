import type { EngineAdapter } from '../checked-runtime.js';

/**
 * Loads OpenVINO, which takes its native library into this process.
 *
 * @returns Its calls, without any rules.
 * @throws `runtime-missing` where none is found; `runtime-unusable` where what is found cannot be used.
 * @see https://docs.openvino.ai/2026/api/c_cpp_api/group__ov__c__api.html
 */
export async function importOpenvino(): Promise<EngineAdapter> {
  return Promise.reject(new Error('not there yet'));
}
