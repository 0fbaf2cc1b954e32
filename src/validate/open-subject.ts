import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Engine, InferencePrecision, Precision } from '../lib/variant.js';
import type { ModelNames } from '../runtimes/runtime.js';
import { artifactRecordName, verifyArtifactFolder } from '../store/artifact-record.js';
import { refuseOpenvinoFile } from '../store/openvino-file.js';

/** A model to run: its file, the engine it is made for, and what its record says of it where there is one. */
export type ParitySubject = {
  readonly modelPath: string;
  readonly engine: Engine;
  /** Null for a bare file. */
  readonly precision: Precision | null;
  /** What its FP32 operations are to be computed in. */
  readonly inference: InferencePrecision;
  /** What its inputs and outputs are called, where the file may have other names for them too. */
  readonly names: ModelNames | null;
  /** Whether its file can be read without the engine. */
  readonly isOnnx: boolean;
};

const bareFile: Omit<ParitySubject, 'modelPath'> = {
  ...{ engine: 'onnxruntime', precision: null, inference: 'f32', names: null, isOnnx: true },
};

/**
 * Finds the model that a path stands for. Files of an artifact are held against its record first: damage that changes a
 * few weights would be taken for what the conversion did.
 *
 * @param path - A model file, an artifact folder or its `artifact.json`.
 * @param signal - Stops the reading.
 * @returns The file a session is opened on, and the engine; onnxruntime for a bare file.
 * @throws `artifact-wrong` or `record-wrong` for a folder that is no whole artifact; `artifact-folder-needed` for one
 *   file of what is for OpenVINO.
 */
export async function openSubject(path: string, signal: AbortSignal): Promise<ParitySubject> {
  const isFolder = await stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  // What is missing is said by the reader of models, which knows what was expected.
  if (!isFolder && basename(path) !== artifactRecordName) {
    await refuseOpenvinoFile(path);
    return { modelPath: path, ...bareFile };
  }
  const { folder, record } = await verifyArtifactFolder(path, signal);
  const { engine, precision, inference, layout } = record.variant;
  const { names } = record.requires;
  const isOnnx = layout === 'single' || layout === 'external';
  return { modelPath: join(folder, record.entry), engine, precision, inference, names, isOnnx };
}
