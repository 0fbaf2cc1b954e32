import { open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { usualSession } from '../../lib/session-options.js';
import { exportModel } from '../../native/openvino/compile-model.js';
import { quoteRefusal } from '../checked-runtime.js';
import { importRuntime } from '../import-runtime.js';
import type { ExportedBlob, ExportRequest } from '../isolated-message.js';
import { plainSettings } from '../runtime.js';
import { readWhole } from './model-content.js';
import type { OpenvinoNative } from './openvino-adapter.js';

/**
 * Compiles a model and writes what came of it into a file, which is then opened: OpenVINO does not say when a disk was
 * full.
 *
 * @param request - The model, the file, and what it is to compute in.
 * @returns What was written.
 * @throws `runtime-missing`, `runtime-unusable`, `runtime-refused-model`; the file system's own error.
 */
export async function exportBlob({ modelPath, path, inference }: ExportRequest): Promise<ExportedBlob> {
  const runtime = await importRuntime('openvino');
  const threads = availableParallelism();
  const settings = { ...plainSettings, threads, inference, options: usualSession };
  const session = await runtime.openSession({ path: modelPath }, settings);
  try {
    const { library, compiledModel } = session.native as OpenvinoNative;
    await quoteRefusal('openvino', modelPath, () => exportModel(library, compiledModel, path));
  } finally {
    // Before the next is opened: there is one model in memory at a time.
    await session.close();
  }
  // The file's own name does not say yet what it is.
  const source = { name: 'model.blob', bytes: await readWhole(path), externalData: [] };
  const written = await runtime.openSession(source, settings);
  await written.close();
  const sizeBytes = await flush(path);
  return { sizeBytes, runtimeVersion: runtime.version, inference: written.inference };
}

async function flush(path: string): Promise<number> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
    const { size } = await file.stat();
    return size;
  } finally {
    await file.close();
  }
}
