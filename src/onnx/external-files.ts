import { stat } from 'node:fs/promises';
import { isExternal } from './external-data.js';
import { listScopes, listTensors } from './graph-walk.js';
import type { OnnxModel } from './read-model.js';
import { findPayload } from './tensor-payload.js';

/** A data file beside a model. */
export type ExternalFile = {
  /** Where the model says it is. */
  readonly location: string;
  /** Absolute, links resolved, inside the model's folder. */
  readonly path: string;
  readonly sizeBytes: number;
  /** How many of its bytes tensors refer to, shared ones counted each time. */
  readonly referencedBytes: number;
  readonly tensorCount: number;
};

/**
 * Lists the data files of a model, each checked to be a regular file inside the model's folder that holds all that
 * is referred to.
 *
 * @param model - The model.
 * @returns The files, sorted by path.
 * @throws `external-data-refused`, `tensor-wrong`.
 */
export async function externalFilesOf(model: OnnxModel): Promise<ExternalFile[]> {
  const files = new Map<string, ExternalFile>();
  for (const scope of listScopes(model.model)) {
    for (const { tensor, label } of listTensors(scope)) {
      if (!isExternal(tensor)) continue;
      const payload = await findPayload(model.path, tensor, label);
      if (payload?.kind !== 'file' || payload.location === undefined) continue;
      const known = files.get(payload.path);
      files.set(payload.path, {
        location: known?.location ?? payload.location,
        path: payload.path,
        sizeBytes: known?.sizeBytes ?? (await stat(payload.path)).size,
        referencedBytes: (known?.referencedBytes ?? 0) + payload.sizeBytes,
        tensorCount: (known?.tensorCount ?? 0) + 1,
      });
    }
  }
  return [...files.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
}
