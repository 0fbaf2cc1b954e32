import { join } from 'node:path';
import { nameVariant } from '../lib/variant.js';
import { quietContext, type WorkContext } from '../lib/work-context.js';
import { type Finding, makeFinding } from '../messages/finding.js';
import { messageLimitBytes } from '../onnx/read-model.js';
import { refuseIfChanged } from '../onnx/source-bytes.js';
import type { ArtifactRecord, ArtifactSummary } from '../store/artifact-record.js';
import { translateFileSystemError } from '../store/file-system-error.js';
import { conversionFindings } from './conversion-findings.js';
import { type Converted, convertInto } from './convert-into.js';
import type { ConvertOptions, ConvertResult } from './convert-options.js';
import { openSource, type Source } from './open-source.js';
import { type OutputPlace, openOutput, replaceFolder } from './output-place.js';
import { refuseBrokenGraph } from './refuse-broken.js';
import { replaceModelFile } from './replace-model-file.js';
import { readReplaced } from './replaceable-folder.js';
import { totalNodes } from './total-nodes.js';
import { totalWeights } from './total-weights.js';
import { pageBytes } from './write/plan-data-file.js';
import { writeArtifactRecord } from './write-artifact-record.js';

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
 *   `output-set-aside`, `model-names-repeated`, `model-has-cycle`, `model-too-large-inline`, `io-name-unknown`, `keep-rule-unmatched`,
 *   `file-system-refused`; `converted-model-refused` when onnxruntime does not open the result; `conversion-broken`
 *   when what was written is not what was meant, which is a bug.
 */
export async function convertModel(
  options: ConvertOptions,
  context: WorkContext = quietContext(),
): Promise<ConvertResult> {
  const source = await openSource(options.model);
  if (options.precision !== 'fp32') refuseBrokenGraph(source.onnx.path, source.onnx.model);
  const sources = [source.onnx.path, ...source.externalFiles.map((file) => file.path)];
  const place = await openOutput(options.out, sources);
  const before = place.kind === 'folder' ? await readReplaced(place.path) : undefined;
  const { converted, record } = await writeOutput(source, options, place, context);
  const { conversion, written, known, loadCheck } = converted;
  const nodes = totalNodes(conversion);
  const { precision, engine, inference } = options;
  return {
    variant: nameVariant({ precision, engine, layout: written.layout, inference }),
    ...{ out: options.out, record, nodes, loadCheck, castsAdded: conversion.castsAdded },
    sourceSizeBytes: source.sizeBytes,
    sizeBytes: written.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    weights: totalWeights(conversion, known),
    findings: [
      ...layoutFindings(converted, options),
      ...conversionFindings(conversion, known, nodes, options),
      ...findReplaced(options.out, before, record),
    ],
  };
}

function layoutFindings(
  { written, loadCheck }: Converted,
  { model: path, layout }: ConvertOptions,
): Finding[] {
  const findings: Finding[] = [];
  if (loadCheck === 'not-judged') findings.push(makeFinding('warning', 'load-not-judged', { path }));
  if (written.layout !== layout) {
    const sizeBytes = written.files.reduce((sum, file) => sum + file.sizeBytes, 0);
    const facts = { path, sizeBytes, limitBytes: messageLimitBytes };
    findings.push(makeFinding('warning', 'layout-became-external', facts));
  }
  if (written.layout === 'external' && written.files.length === 1) {
    findings.push(makeFinding('info', 'no-data-file', { path, minTensorBytes: pageBytes }));
  }
  if (written.layout === 'external' && written.inBodies.tensorCount > 0) {
    findings.push(makeFinding('info', 'weights-stay-inside', { path, ...written.inBodies }));
  }
  return findings;
}

/** The same variant of the same model in a newer form is what everybody expects. */
function findReplaced(
  out: string,
  before: ArtifactSummary | undefined,
  after: ArtifactRecord | null,
): Finding[] {
  if (before === undefined || after === null) return [];
  const { variant, provenance, sizeBytes } = before;
  const { sourceName } = provenance;
  if (variant.id === after.variant.id && sourceName === after.provenance.sourceName) return [];
  const by = { byVariantId: after.variant.id, bySourceName: after.provenance.sourceName };
  const facts = { out, variantId: variant.id, sourceName, sizeBytes, ...by };
  return [makeFinding('info', 'artifact-replaced', facts)];
}

type Output = { readonly converted: Converted; readonly record: ArtifactRecord | null };

async function writeOutput(
  source: Source,
  options: ConvertOptions,
  place: OutputPlace,
  context: WorkContext,
): Promise<Output> {
  const build = async (target: string, folder: string | undefined): Promise<Output> => {
    const files = { target, hash: folder !== undefined };
    const converted = await convertInto(source, options, files, context);
    const parts = { entryName, converted, options, source };
    const record = folder === undefined ? null : await writeArtifactRecord({ ...parts, folder });
    await refuseIfChanged(source.onnx.bytes);
    context.signal.throwIfAborted();
    return { converted, record };
  };
  try {
    if (place.kind === 'file') return await replaceModelFile(place.path, (path) => build(path, undefined));
    return await replaceFolder(place.path, (folder) => build(join(folder, entryName), folder));
  } catch (error) {
    throw translateFileSystemError(error, 'write', place.path);
  }
}
