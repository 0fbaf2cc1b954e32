import { extname } from 'node:path';
import { OptimiseModelError } from '../../messages/error.js';
import { findLackingReader, shortenRefusal } from './shorten-refusal.js';

/**
 * Puts a refusal of OpenVINO's into few words, before others cut it: its own have pages for some models. Of its own formats
 * no operator is to blame, so that it says itself what to do.
 *
 * @param error - What it threw.
 * @param name - The file, or what it is called in memory.
 * @param library - The OpenVINO.
 * @returns An error with the short words, and for an IR or blob `advice`; `runtime-unusable` where what reads ONNX is
 *   missing, which says nothing of the model.
 */
export function explainRefusal(
  error: unknown,
  name: string,
  { path, version }: { readonly path: string; readonly version: string },
): Error {
  const text = error instanceof Error ? error.message : String(error);
  const reason = findLackingReader(text);
  if (reason !== null) {
    const facts = { engine: 'openvino', path, version, reason };
    return OptimiseModelError.of('runtime-unusable', facts, error);
  }
  const refusal = new Error(shortenRefusal(text).reason, { cause: error });
  const extension = extname(name);
  if (extension !== '.xml' && extension !== '.blob') return refusal;
  const otherwise = extension === '.blob' ? ', or use `--layout ir`' : '';
  const advice = `It is damaged, or of another OpenVINO: convert the model again with this one (\`optimise-model convert MODEL --engine openvino\`)${otherwise}.`;
  return Object.assign(refusal, { advice });
}
