import type { OptimisationLevel } from '../lib/session-options.js';
import { quoteRefusal } from './checked-runtime.js';
import { severityFatal } from './onnxruntime-adapter.js';

/** How a model is saved as the engine rewrites it. */
export type OptimisedTarget = {
  /** The new model, in a folder that exists. */
  readonly path: string;
  /** Name of the file beside it that holds its weights, for mapping them. */
  readonly dataFileName: string;
  /** From `extended` on it holds operators of the engine's own, from `layout` on such as fit this family of processors. */
  readonly optimisation: OptimisationLevel;
  /** Whether weights are stored as the kernels pack them as well, which binds the file to this processor and version. */
  readonly isPrepacked: boolean;
};

/**
 * Opens a model once in onnxruntime and saves it as that rewrote it, so that later sessions need not rewrite it. It is
 * no part of a runtime, since the bundle of a handler would hold it.
 *
 * @param modelPath - The model.
 * @param target - Where to, and how far it is rewritten.
 * @throws `runtime-refused-model`; Node's own error when the package or its binary is missing.
 * @see https://onnxruntime.ai/docs/performance/model-optimizations/graph-optimizations.html (offline mode)
 */
export async function saveOptimised(modelPath: string, target: OptimisedTarget): Promise<void> {
  const { path, dataFileName, optimisation, isPrepacked } = target;
  const { InferenceSession } = await import('onnxruntime-node');
  await quoteRefusal('onnxruntime', modelPath, async () => {
    const session = await InferenceSession.create(modelPath, {
      executionProviders: ['cpu'],
      graphOptimizationLevel: optimisation,
      optimizedModelFilePath: path,
      extra: {
        session: {
          optimized_model_external_initializers_file_name: dataFileName,
          ...(isPrepacked ? { save_external_prepacked_constant_initializers: '1' } : {}),
        },
      },
      logSeverityLevel: severityFatal,
    });
    await session.release();
  });
}
