import { hashFile } from '../lib/sha256.js';
import { type ExternalFile, externalFilesOf } from '../onnx/external-files.js';
import { type OnnxModel, readModel } from '../onnx/read-model.js';
import { digestFiles } from '../store/artifact-record.js';

/** A model that is about to be converted. */
export type Source = {
  readonly onnx: OnnxModel;
  readonly externalFiles: readonly ExternalFile[];
  /** The `.onnx` and its data files, bytes. */
  readonly sizeBytes: number;
};

/**
 * Reads a model and checks that its data files are all there.
 *
 * @param path - The `.onnx` file.
 * @returns The model.
 * @throws Whatever {@link readModel} throws, `external-data-refused`, `tensor-wrong`.
 */
export async function openSource(path: string): Promise<Source> {
  const onnx = await readModel(path);
  const externalFiles = await externalFilesOf(onnx);
  const sizeBytes = externalFiles.reduce((sum, file) => sum + file.sizeBytes, onnx.sizeBytes);
  return { onnx, externalFiles, sizeBytes };
}

/**
 * Hashes a model with its data files.
 *
 * @param source - The model.
 * @param signal - Stops the reading.
 * @returns SHA-256 of the `.onnx` file; with data files, that of the list of all files as in an artifact's digest.
 */
export async function hashSource(source: Source, signal: AbortSignal): Promise<string> {
  const modelHash = await hashFile(source.onnx.path, signal);
  if (source.externalFiles.length === 0) return modelHash;
  const files = [{ path: '', sizeBytes: source.onnx.sizeBytes, sha256: modelHash }];
  for (const { path, location, sizeBytes } of source.externalFiles) {
    files.push({ path: location, sizeBytes, sha256: await hashFile(path, signal) });
  }
  return digestFiles(files);
}
