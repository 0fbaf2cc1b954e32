import type { Variant } from '../lib/variant.js';

/**
 * Names the file of an artifact that a session is opened on. Variants whose bytes may be the same have different names:
 * an artifact is known by its digest, which counts these.
 *
 * @param variant - What it is.
 * @returns Such as `model.onnx`, `model-openvino.onnx`, `model.xml`, `model-bf16.blob`.
 */
export function entryNameOf({ engine, layout, inference }: Omit<Variant, 'id' | 'precision'>): string {
  const isOnnx = layout === 'single' || layout === 'external';
  const stem = [
    'model',
    ...(isOnnx && engine !== 'onnxruntime' ? [engine] : []),
    ...(inference === 'f32' ? [] : [inference]),
  ];
  const extensions = { single: 'onnx', external: 'onnx', ir: 'xml', blob: 'blob' } as const;
  return `${stem.join('-')}.${extensions[layout]}`;
}
