import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { printJson } from '../lib/json.js';
import { hashFile } from '../lib/sha256.js';
import { toolVersion } from '../lib/tool-version.js';
import { nameVariant } from '../lib/variant.js';
import { writeFileAtomically } from '../lib/write-atomically.js';
import {
  type ArtifactFile,
  type ArtifactRecord,
  artifactRecordName,
  digestFiles,
} from '../store/artifact-record.js';
import type { Conversion } from './conversion.js';
import { totalWeights } from './conversion-findings.js';
import type { ConvertOptions } from './convert-options.js';
import { hashSource, type Source } from './open-source.js';
import { runtimeNeed } from './runtime-need.js';

/** What an artifact's record is made from. */
export type RecordParts = {
  /** Where the artifact's other files are already. */
  readonly folder: string;
  readonly entryName: string;
  readonly conversion: Conversion;
  readonly options: ConvertOptions;
  readonly source: Source;
};

/**
 * Writes `artifact.json`, last of an artifact's files.
 *
 * @param parts - What it is made from.
 * @param signal - Stops the hashing.
 * @returns The record.
 */
export async function writeArtifactRecord(parts: RecordParts, signal: AbortSignal): Promise<ArtifactRecord> {
  const { folder, entryName, conversion, options, source } = parts;
  const files = await describeFiles(folder, signal);
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  const { precision, layout, engine, minWeightBytes } = options;
  const record: ArtifactRecord = {
    schemaVersion: 1,
    kind: 'artifact',
    variant: nameVariant({ precision, engine, layout }),
    entry: entryName,
    files,
    digest: digestFiles(files),
    sizeBytes,
    expandedSizeBytes: sizeBytes + totalWeights(conversion).fp16Bytes,
    requires: runtimeNeed(engine, conversion.model),
    provenance: {
      toolVersion,
      sourceName: basename(source.onnx.path),
      sourceSizeBytes: source.sizeBytes,
      sourceSha256: await hashSource(source, signal),
      options: { precision, layout, engine, minWeightBytes },
    },
  };
  await writeFileAtomically(join(folder, artifactRecordName), `${printJson(record)}\n`);
  return record;
}

async function describeFiles(folder: string, signal: AbortSignal): Promise<ArtifactFile[]> {
  const files: ArtifactFile[] = [];
  for (const path of (await readdir(folder)).sort()) {
    const { size } = await stat(join(folder, path));
    files.push({ path, sizeBytes: size, sha256: await hashFile(join(folder, path), signal) });
  }
  return files;
}
