import { measureStart } from './measure-start.js';
import { ModelOpening } from './model-opening.js';
import { type OpenOptions, resolveOpenOptions } from './open-options.js';
import type { OpenedModel } from './opened-model.js';

/**
 * Opens a model: finds the artifact, brings its bytes by the delivery, opens a session.
 *
 * With delivery `lazy` nothing at all is read before the first run, if the delivery is given here; if it is the
 * release that says `lazy`, its records are read now; and where Lambda SnapStart takes a snapshot, it is loaded now.
 *
 * @param source - Address or path of a `current.json` (the published artifact by the published delivery), of a
 *   `releases/RELEASE.json` (pinned), of an `artifact.json`, or of the folder or prefix that holds a `current.json` or
 *   `artifact.json`, such as `s3://bucket/models/vit`; the same on a model hub as `hf:ORG/NAME/FOLDER`; or a bare model
 *   file, `https://HOST/…/FILE.onnx` or `hf:ORG/NAME/FILE.onnx`, also `hf:ORG/NAME@REVISION/…`. `HF_ENDPOINT` names
 *   another hub, `HF_TOKEN` is shown to the hub alone.
 * @param options - What shall differ from the release or the defaults; `OPTIMISE_MODEL_RELEASE` pins a release too.
 * @returns The model; close it to remove what was downloaded. What a process leaves that dies before is taken over by
 *   the next, if it is still what was verified.
 * @throws `open-option-unknown`, `delivery-unknown`, `open-option-wrong`; about the source `model-source-wrong`,
 *   `store-url-wrong`, `hub-address-wrong`, `no-document-there`, `object-missing`, `not-a-file`, `document-too-large`, `record-wrong`,
 *   `variant-missing`, `release-not-there`, `release-contradicted`, `bare-file-delivery`, `url-hash-unknown`,
 *   `mount-source-not-local`, `layer-folder-needed`; about the files `layer-artifact-differs`, `artifact-wrong`,
 *   `download-corrupt`, `object-changed`, `range-refused`, `http-failed`, `http-unreachable`, the `s3-…` errors,
 *   `file-system-refused`; about this machine `requirement-not-met`, `ephemeral-storage-full`,
 *   `ephemeral-folder-unusable`, `memory-too-small`, `runtime-missing`, `runtime-refused-model`, `bare-file-refused`,
 *   `external-refused-from-memory`. Nothing is left on disk then.
 */
export async function openModel(source: string, options: OpenOptions = {}): Promise<OpenedModel> {
  // Before anything else: the clock counts from the start of the process.
  const startMs = measureStart(performance.now());
  const opening = new ModelOpening(source, resolveOpenOptions(options), startMs);
  return opening.open();
}
