import { ModelOpening } from './model-opening.js';
import { type OpenOptions, resolveOpenOptions } from './open-options.js';
import type { OpenedModel } from './opened-model.js';

/**
 * Opens a staged model: finds the artifact, brings its bytes by the delivery, opens a session.
 *
 * With delivery `lazy` nothing at all is read before the first run, if the delivery is given here; if it is the
 * release that says `lazy`, its records are read now.
 *
 * @param source - Address or path of a `current.json` (the published artifact by the published delivery), of a
 *   `releases/RELEASE.json` (pinned), of an `artifact.json`, or of the folder or prefix that holds a `current.json` or
 *   `artifact.json`, such as `s3://bucket/models/vit`.
 * @param options - What shall differ from the release or the defaults.
 * @returns The model; close it to remove what was downloaded.
 * @throws `delivery-unknown`, `open-option-wrong`, `model-source-wrong`, `variant-missing`, `record-wrong`,
 *   `object-missing`, `no-document-there`, `requirement-not-met`, `ephemeral-storage-full`, `layer-folder-needed`, `layer-artifact-differs`, `download-corrupt`,
 *   `runtime-missing`, `runtime-refused-model`, `external-refused-from-memory`, and what the store throws. Nothing is left on disk then.
 */
export async function openModel(source: string, options: OpenOptions = {}): Promise<OpenedModel> {
  // Before anything else: the clock counts from the start of the process.
  const startMs = performance.now();
  const opening = new ModelOpening(source, resolveOpenOptions(options), startMs);
  return opening.open();
}
