import type { JsonValue } from '../lib/json.js';
import { hashBytes } from '../lib/sha256.js';
import type { NamedTensors } from '../lib/tensor.js';

/**
 * Names feeds by their content, for keys of steps.
 *
 * @param feeds - What models are fed.
 * @returns Name, type, shape and SHA-256 of each.
 */
export function digestFeeds(feeds: NamedTensors): JsonValue {
  return Object.entries(feeds).map(([name, { type, dims, data }]) => {
    const bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : JSON.stringify(data);
    return { name, type, dims, sha256: hashBytes(bytes) };
  });
}
