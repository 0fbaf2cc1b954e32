import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nameVariant } from '../lib/variant.js';
import { quietContext, type WorkContext } from '../lib/work-context.js';
import { type Finding, makeFinding } from '../messages/finding.js';
import { isExternal } from '../onnx/external-data.js';
import { listScopes, listTensors } from '../onnx/graph-walk.js';
import { findPayload } from '../onnx/tensor-payload.js';
import type { ArtifactRecord } from '../store/artifact-record.js';
import { translateFileSystemError } from '../store/file-system-error.js';
import { checkWritten, type ModelClaims, noteClaims, refuseRepeatedNames } from './check-written.js';
import type { Conversion } from './conversion.js';
import { conversionFindings, isByteCopy, totalWeights } from './conversion-findings.js';
import { convertHalfGraph } from './convert-half-graph.js';
import type { ConvertOptions, ConvertResult } from './convert-options.js';
import { copyAtomically } from './copy-atomically.js';
import { importDefaultDomain } from './default-domain.js';
import { refuseNeededFields } from './needed-fields.js';
import { beginConversion, openSource, type Source } from './open-source.js';
import { type OutputPlace, openOutput, replaceFolder } from './output-place.js';
import { pageBytes } from './plan-data-file.js';
import { replaceModelFile } from './replace-model-file.js';
import { readReplaced } from './replaceable-folder.js';
import { storeWeights } from './store-weights.js';
import { writeArtifactRecord } from './write-artifact-record.js';
import { type ModelFiles, writeExternal, writeSingle } from './write-model-files.js';

/** File name of the model in an artifact's folder. */
const entryName = 'model.onnx';

/**
 * Converts a model to one variant and writes it, as an artifact's folder or as a bare model.
 *
 * The same model and options give the same bytes. Nothing is left at the target when the work fails or is stopped.
 *
 * @param options - What to convert, how, and where to.
 * @param context - Stops the work; hears of its progress.
 * @returns What was made, with sizes in bytes.
 * @throws Whatever reading a model throws (`model-…`, `tensor-wrong`, `external-data-refused`), `output-refused`,
 *   `output-set-aside`, `model-needs-unknown-fields`, `model-names-repeated`, `model-too-large-inline`,
 *   `file-system-refused`; `conversion-broken` when what was written is not what was meant, which is a bug.
 */
export async function convertModel(
  options: ConvertOptions,
  context: WorkContext = quietContext(),
): Promise<ConvertResult> {
  const source = await openSource(options.model);
  if (!isByteCopy(source, options)) refuseNeededFields(source.onnx);
  if (options.precision !== 'fp32') refuseRepeatedNames(source.onnx.path, source.onnx.model);
  const claims = noteClaims(source.onnx.path, source.onnx.model);
  const sources = [source.onnx.path, ...source.externalFiles.map((file) => file.path)];
  const place = await openOutput(options.out, sources);
  const before = place.kind === 'folder' ? await readReplaced(place.path) : undefined;
  const structureBytes = await measureStructure(source);
  const conversion = await beginConversion(source, options, context);
  const nodesTotal = conversion.scopes.reduce((sum, scope) => sum + scope.nodes.length, 0);
  if (options.precision === 'fp16') await convertHalfGraph(conversion);
  if (options.precision !== 'fp32') await storeWeights(conversion);
  if (conversion.castsAdded > 0) importDefaultDomain(conversion.model);
  context.signal.throwIfAborted();
  const written = await writeOutput({ source, conversion, options, structureBytes, claims }, place, context);
  return {
    variant: nameVariant({ precision: options.precision, engine: options.engine, layout: options.layout }),
    out: options.out,
    record: null,
    ...written,
    sourceSizeBytes: source.sizeBytes,
    weights: totalWeights(conversion),
    castsAdded: conversion.castsAdded,
    nodesFp16: conversion.nodesFp16,
    nodesTotal,
    findings: [
      ...written.findings,
      ...conversionFindings(source, conversion, options),
      ...findReplaced(options.out, before, written.record),
    ],
  };
}

/** The same variant of the same model in a newer form is what everybody expects. */
function findReplaced(
  out: string,
  before: ArtifactRecord | undefined,
  after: ArtifactRecord | null | undefined,
): Finding[] {
  if (before === undefined || after == null) return [];
  const { variant, provenance, sizeBytes } = before;
  const { sourceName } = provenance;
  if (variant.id === after.variant.id && sourceName === after.provenance.sourceName) return [];
  const facts = { out, variantId: variant.id, sourceName, sizeBytes, byVariantId: after.variant.id };
  return [makeFinding('info', 'artifact-replaced', facts)];
}

type WriteJob = {
  readonly source: Source;
  readonly conversion: Conversion;
  readonly options: ConvertOptions;
  readonly structureBytes: number;
  readonly claims: ModelClaims;
};

type Written = Pick<ConvertResult, 'sizeBytes' | 'findings'> & Partial<Pick<ConvertResult, 'record'>>;

async function writeOutput(job: WriteJob, place: OutputPlace, context: WorkContext): Promise<Written> {
  try {
    if (place.kind === 'file')
      return await replaceModelFile(place.path, (path) => writeModel(job, path, context));
    return await replaceFolder(place.path, (folder) => writeArtifact(job, folder, context));
  } catch (error) {
    throw translateFileSystemError(error, 'write', place.path);
  }
}

/** What names, nodes and shapes take: the file without the tensors that are stored inside. */
async function measureStructure({ onnx }: Source): Promise<number> {
  let inlineBytes = 0;
  for (const { tensor, label } of listScopes(onnx.model).flatMap(listTensors)) {
    if (isExternal(tensor)) continue;
    inlineBytes += (await findPayload(onnx.path, tensor, label))?.sizeBytes ?? 0;
  }
  return Math.max(0, onnx.sizeBytes - inlineBytes);
}

async function writeArtifact(job: WriteJob, folder: string, context: WorkContext): Promise<Written> {
  const written = await writeModel(job, join(folder, entryName), context);
  const { conversion, options, source } = job;
  const record = await writeArtifactRecord(
    { folder, entryName, conversion, options, source },
    context.signal,
  );
  return { ...written, record };
}

async function writeModel(job: WriteJob, target: string, context: WorkContext): Promise<Written> {
  const { source, conversion, options } = job;
  const findings: Finding[] = [];
  const files: ModelFiles = {
    model: conversion.model,
    scopes: conversion.scopes,
    sourcePath: source.onnx.path,
    structureBytes: job.structureBytes,
    target,
  };
  let dataName: string | undefined;
  if (options.layout === 'external') {
    const halves = new Set(conversion.stored.map(({ weight }) => weight.place.tensor));
    const external = await writeExternal(files, halves, context);
    dataName = external.dataName;
    const { path } = source.onnx;
    if (dataName === undefined)
      findings.push(makeFinding('info', 'no-data-file', { path, minTensorBytes: pageBytes }));
    if (external.inBodies.tensorCount > 0)
      findings.push(makeFinding('info', 'weights-stay-inside', { path, ...external.inBodies }));
  } else if (isByteCopy(source, options)) {
    await copyAtomically(source.onnx.path, target);
  } else await writeSingle(files);
  if (!isByteCopy(source, options)) await checkWritten(target, job.claims);
  context.signal.throwIfAborted();
  const paths = [target, ...(dataName === undefined ? [] : [join(dirname(target), dataName)])];
  const sizes = await Promise.all(paths.map((path) => stat(path)));
  return { sizeBytes: sizes.reduce((sum, { size }) => sum + size, 0), findings };
}
