import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { OptimiseModelError } from './messages/error.js';
import { type ModelSummary, summariseModel } from './onnx/summarise-model.js';
import { type ArtifactSummary, artifactRecordName, readArtifactFolder } from './store/artifact-record.js';
import { findOpenvinoFile } from './store/openvino-file.js';

/** What an artifact is, and what is inside its model. */
export type ArtifactInspection = ArtifactSummary & {
  /** Its folder, absolute. */
  readonly path: string;
  /** Null for what is no ONNX, such as an IR. */
  readonly model: ModelSummary | null;
};

/**
 * Finds the artifact that a path stands for.
 *
 * @param path - An artifact's folder, its `artifact.json` or, of one for OpenVINO, a file that it names; or anything else.
 * @returns The folder; null for a model file, and for what is not there.
 * @throws `artifact-folder-needed` for an IR or blob that no record names.
 */
export async function findArtifactFolder(path: string): Promise<string | null> {
  const isFolder = await stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (isFolder || basename(path) === artifactRecordName) return path;
  const file = path.endsWith('.onnx') ? null : await findOpenvinoFile(path);
  if (file?.folder === null) throw OptimiseModelError.of('artifact-folder-needed', { path, folder: null });
  return file?.folder ?? null;
}

/**
 * Says what an artifact is: what its record says, and what is inside its model where that is ONNX. Sizes of files are
 * compared with the record, their content is not.
 *
 * @param path - The folder, or its `artifact.json`.
 * @returns The record without its plan, and the model's summary.
 * @throws `artifact-wrong`, `record-wrong`; for the model, as {@link summariseModel}.
 */
export async function inspectArtifact(path: string): Promise<ArtifactInspection> {
  const { folder, record } = await readArtifactFolder(path);
  const { expansion: _plan, ...summary } = record;
  const { layout } = record.variant;
  const isOnnx = layout === 'single' || layout === 'external';
  return {
    ...summary,
    path: folder,
    model: isOnnx ? await summariseModel(join(folder, record.entry)) : null,
  };
}
