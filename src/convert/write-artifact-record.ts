import { basename, join } from 'node:path';
import { toolVersion } from '../lib/tool-version.js';
import type { Variant } from '../lib/variant.js';
import { writeFileAtomically } from '../lib/write-atomically.js';
import type { ArtifactExpansion } from '../store/artifact-expansion.js';
import { type ArtifactRecord, artifactRecordName, digestFiles } from '../store/artifact-record.js';
import { printArtifactRecord } from '../store/print-artifact-record.js';
import type { RuntimeNeed } from '../store/runtime-need.js';
import type { Source } from './open-source.js';

/** What an artifact's record is made from. */
export type RecordParts = {
  /** Where the artifact's other files are already. */
  readonly folder: string;
  readonly variant: Variant;
  readonly entry: string;
  /** All of them, in any order. */
  readonly files: ArtifactRecord['files'];
  readonly requires: RuntimeNeed;
  readonly expansion: ArtifactExpansion;
  readonly source: Source;
  readonly sourceSha256: string | null;
  /** The options that shape the result. */
  readonly options: ArtifactRecord['provenance']['options'];
};

/**
 * Writes `artifact.json`, last of an artifact's files.
 *
 * @param parts - What it is made from; its files were hashed while they were written.
 * @returns The record.
 */
export async function writeArtifactRecord(parts: RecordParts): Promise<ArtifactRecord> {
  const { folder, variant, entry, requires, expansion, source, sourceSha256, options } = parts;
  const files = [...parts.files].sort((left, right) => (left.path < right.path ? -1 : 1));
  const record: ArtifactRecord = {
    schemaVersion: 1,
    kind: 'artifact',
    variant,
    entry,
    files,
    digest: digestFiles(files),
    sizeBytes: files.reduce((sum, file) => sum + file.sizeBytes, 0),
    expandedSizeBytes: expansion.files.reduce((sum, file) => sum + file.sizeBytes, 0),
    requires,
    provenance: {
      toolVersion,
      sourceName: basename(source.onnx.path),
      sourceSizeBytes: source.sizeBytes,
      sourceSha256,
      options,
    },
    expansion,
  };
  await writeFileAtomically(join(folder, artifactRecordName), printArtifactRecord(record));
  return record;
}
