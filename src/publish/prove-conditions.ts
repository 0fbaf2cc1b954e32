import { OptimiseModelError } from '../messages/error.js';
import type { WriteCondition } from '../store/store.js';
import { parseStoreUrl } from '../store/store-url.js';
import type { ModelPlace } from './model-place.js';
import { hasCode } from './read-document.js';
import { writeDocument } from './write-document.js';

/** No object has it: an MD5 of zeros, in the quotes that ETags come in. */
const wrongEtag = '"00000000000000000000000000000000"';

/** A document that is in the store, to try writes on that must be refused. */
export type Probe = { readonly key: string; readonly bytes: Uint8Array };

/**
 * Makes sure that the server heeds the conditions that keep two publishers apart: some take the headers and write all
 * the same. What is tried would write the bytes that are there already, so that nothing is lost where they do. On S3
 * this costs one request for each condition; a folder is ours and needs no proof.
 *
 * @param place - The model.
 * @param probe - A document that is there.
 * @param conditions - `ifAbsent` only for a document that nobody removes at this time: a write on it would bring it back.
 * @param signal - Stops waiting for the server.
 * @throws `s3-conditions-ignored`, `s3-conditions-refused`, what the store says.
 */
export async function proveConditions(
  place: ModelPlace,
  probe: Probe,
  conditions: readonly ('ifAbsent' | 'ifEtag')[],
  signal: AbortSignal,
): Promise<void> {
  if (!place.isConditional || place.store.endpoint === null) return;
  for (const name of conditions) {
    const condition = name === 'ifAbsent' ? ({ ifAbsent: true } as const) : { ifEtag: wrongEtag };
    if (!(await isHeeded(place, probe, condition, signal))) throw ignored(place, probe.key, name);
  }
}

/** Asked twice before the server is blamed. */
async function isHeeded(
  place: ModelPlace,
  { key, bytes }: Probe,
  condition: WriteCondition,
  signal: AbortSignal,
): Promise<boolean> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      // After a lost answer, a refused write of equal bytes counts as done; refused it was all the same.
      if (await writeDocument(place, key, bytes, condition, signal)) return true;
    } catch (error) {
      if (hasCode(error, 'write-conflict')) return true;
      throw error;
    }
  }
  return false;
}

function ignored({ store }: ModelPlace, key: string, name: 'ifAbsent' | 'ifEtag'): OptimiseModelError {
  const address = parseStoreUrl(store.url);
  const { bucket, prefix } = address.kind === 's3' ? address : { bucket: '', prefix: '' };
  const header = name === 'ifAbsent' ? 'If-None-Match: *' : `If-Match: ${wrongEtag}`;
  return OptimiseModelError.of('s3-conditions-ignored', {
    endpoint: store.endpoint ?? store.url,
    bucket,
    key: prefix === '' ? key : `${prefix}/${key}`,
    operation: 'PutObject',
    status: 200,
    awsCode: 'OK',
    reason: `a write with ${header} that had to be refused was done`,
  });
}
