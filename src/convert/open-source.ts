import { hashFile } from '../lib/sha256.js';
import type { WorkContext } from '../lib/work-context.js';
import { type ExternalFile, externalFilesOf } from '../onnx/external-files.js';
import { listScopes } from '../onnx/graph-walk.js';
import { type OnnxModel, readModel } from '../onnx/read-model.js';
import { reserveNames } from '../onnx/unique-names.js';
import { digestFiles } from '../store/artifact-record.js';
import type { Conversion } from './conversion.js';
import type { ConvertOptions } from './convert-options.js';
import { findExactValues } from './exact-values.js';
import { listWeights } from './weight-store.js';

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

/**
 * Prepares a model for being changed: its scopes, names, weights and the values that must not be rounded.
 *
 * @param source - The model.
 * @param options - The precision, and the smallest FP32 weight that is stored as FP16 with a Cast.
 * @param context - Stops the reading of weights; hears of the progress.
 * @returns The conversion, nothing done yet.
 * @throws `tensor-wrong`, `external-data-refused`.
 */
export async function beginConversion(
  source: Source,
  { minWeightBytes, precision }: Pick<ConvertOptions, 'minWeightBytes' | 'precision'>,
  context: WorkContext,
): Promise<Conversion> {
  const { model, path } = source.onnx;
  const scopes = listScopes(model);
  const weights = new Map<(typeof scopes)[number], Awaited<ReturnType<typeof listWeights>>>();
  let done = 0;
  const onEncoded = (sizeBytes: number): void => {
    done += sizeBytes;
    context.progress({ label: 'rounding weights', done, unit: 'bytes' });
  };
  const watch = { signal: context.signal, onEncoded };
  for (const scope of scopes) weights.set(scope, await listWeights(path, scope, watch));
  const exactValues = findExactValues(scopes);
  const smallReason =
    precision === 'fp16' ? 'read as FP32 and too small for a Cast' : 'below the size threshold';
  return {
    ...{ model, scopes, names: reserveNames(scopes), weights, exactValues, minWeightBytes, smallReason },
    ...{ stored: [], kept: [], castsAdded: 0, nodesFp16: 0 },
  };
}
