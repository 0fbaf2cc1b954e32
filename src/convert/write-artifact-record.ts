import { basename, join } from 'node:path';
import { toolVersion } from '../lib/tool-version.js';
import { nameVariant } from '../lib/variant.js';
import { writeFileAtomically } from '../lib/write-atomically.js';
import { type ArtifactRecord, artifactRecordName, digestFiles } from '../store/artifact-record.js';
import { printArtifactRecord } from '../store/print-artifact-record.js';
import type { Converted } from './convert-into.js';
import type { ConvertOptions } from './convert-options.js';
import { expandConversion } from './expand-conversion.js';
import type { Source } from './open-source.js';
import { runtimeNeed } from './runtime-need.js';

/** What an artifact's record is made from. */
export type RecordParts = {
  /** Where the artifact's other files are already. */
  readonly folder: string;
  readonly entryName: string;
  readonly converted: Converted;
  readonly options: ConvertOptions;
  readonly source: Source;
};

/**
 * Writes `artifact.json`, last of an artifact's files.
 *
 * @param parts - What it is made from; its files were hashed while they were written.
 * @returns The record.
 */
export async function writeArtifactRecord(parts: RecordParts): Promise<ArtifactRecord> {
  const { folder, entryName, converted, options, source } = parts;
  const { written, conversion } = converted;
  const files = written.files
    .map(({ name, sizeBytes, sha256 = '' }) => ({ path: name, sizeBytes, sha256 }))
    .sort((left, right) => (left.path < right.path ? -1 : 1));
  const expansion = await expandConversion(source.onnx, converted, options, entryName);
  const record: ArtifactRecord = {
    schemaVersion: 1,
    kind: 'artifact',
    variant: nameVariant({ ...options, layout: written.layout }),
    entry: entryName,
    files,
    digest: digestFiles(files),
    sizeBytes: files.reduce((sum, file) => sum + file.sizeBytes, 0),
    expandedSizeBytes: expansion.files.reduce((sum, file) => sum + file.sizeBytes, 0),
    requires: runtimeNeed(options.engine, conversion.model),
    provenance: {
      toolVersion,
      sourceName: basename(source.onnx.path),
      sourceSizeBytes: source.sizeBytes,
      sourceSha256: options.sourceSha256,
      options: recordedOptions(options),
    },
    expansion,
  };
  await writeFileAtomically(join(folder, artifactRecordName), printArtifactRecord(record));
  return record;
}

/** The options that shape the result. */
function recordedOptions(options: ConvertOptions): ArtifactRecord['provenance']['options'] {
  const { precision, layout, engine, minWeightBytes, maxWeightError, io, withoutRules } = options;
  const keepFp32 = options.keepFp32.map(({ kind, name }) => `${kind}:${name}`);
  return { precision, layout, engine, minWeightBytes, maxWeightError, io, keepFp32, withoutRules };
}
