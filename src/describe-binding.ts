import type { RuntimeNeed } from './store/runtime-need.js';

const engineNames = { onnxruntime: 'ONNX Runtime', openvino: 'OpenVINO' } as const;

const verbs = {
  'compiled-blob': 'compiled',
  'layout-optimised-graph': 'its graph is optimised',
  'prepacked-weights': 'its weights are prepacked',
} as const;

/**
 * Says what an artifact is bound to by what it is.
 *
 * @param need - What a machine needs to open it.
 * @returns One clause, such as `compiled for OpenVINO 2026.4.1 and a processor with avx2`; null for what runs anywhere.
 */
export function describeBinding({ engine, architecture, boundTo }: RuntimeNeed): string | null {
  // An artifact that an earlier version recorded has no word on it.
  if (boundTo == null) return null;
  const { kind, engineVersion, instructionSets } = boundTo;
  const version = engineVersion === null ? [] : [`${engineNames[engine]} ${engineVersion}`];
  const family = architecture === 'any' ? 'a processor' : `a processor of ${architecture}`;
  const isAny = architecture === 'any' && instructionSets.length === 0;
  const sets = instructionSets.length === 0 ? '' : ` with ${instructionSets.join(', ')}`;
  const processor = isAny ? [] : [`${family}${sets}`];
  const places = [...version, ...processor];
  return `${verbs[kind]} for ${places.length === 0 ? 'the machine it was made on' : places.join(' and ')}`;
}
