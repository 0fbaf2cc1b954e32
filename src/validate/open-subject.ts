import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Engine, Precision } from '../lib/variant.js';
import { artifactRecordName, readArtifactFolder } from '../store/artifact-record.js';

/** A model to run: its file, the engine it is made for, and its precision where a record says it. */
export type ParitySubject = {
  readonly modelPath: string;
  readonly engine: Engine;
  readonly precision: Precision | null;
};

/**
 * Finds the model that a path stands for.
 *
 * @param path - A model file, an artifact folder or its `artifact.json`.
 * @returns The file a session is opened on, and the engine; onnxruntime for a bare file.
 * @throws `artifact-wrong` or `record-wrong` for a folder that is no whole artifact.
 */
export async function openSubject(path: string): Promise<ParitySubject> {
  const isFolder = await stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  // What is missing is said by the reader of models, which knows what was expected.
  if (!isFolder && basename(path) !== artifactRecordName)
    return { modelPath: path, engine: 'onnxruntime', precision: null };
  const { folder, record } = await readArtifactFolder(path);
  const { engine, precision } = record.variant;
  return { modelPath: join(folder, record.entry), engine, precision };
}
