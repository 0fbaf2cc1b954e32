import { type ArtifactRecord, artifactRecordName, parseArtifactRecord } from '../../store/artifact-record.js';
import { RecordReader } from '../../store/record-fields.js';
import { objectUrl } from '../../store/store-url.js';
import type { ArtifactChoice } from '../choose-artifact.js';

/**
 * Gets an artifact's record with the plan of its expansion, which releases leave out: it is read where the files are.
 *
 * @param choice - The artifact.
 * @returns The record; the one that the artifact was chosen by when that has the plan.
 * @throws `record-wrong`, also when it is of another artifact; `object-missing`; what the store throws.
 */
export async function readFullRecord({ record, store, keyPrefix }: ArtifactChoice): Promise<ArtifactRecord> {
  if (hasPlan(record)) return record;
  const key = keyPrefix + artifactRecordName;
  const where = objectUrl(store.url, key);
  const { bytes } = await store.read(key);
  const found = parseArtifactRecord(new TextDecoder().decode(bytes), where);
  new RecordReader(where).choice(found.digest, '`digest`', [record.digest]);
  return found;
}

function hasPlan(record: ArtifactChoice['record']): record is ArtifactRecord {
  return 'expansion' in record;
}
