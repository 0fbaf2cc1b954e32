import { join } from 'node:path';
import { nameVariant } from '../lib/variant.js';
import type { WorkContext } from '../lib/work-context.js';
import { type Finding, makeFinding } from '../messages/finding.js';
import { messageLimitBytes } from '../onnx/read-model.js';
import { refuseIfChanged } from '../onnx/source-bytes.js';
import type { ArtifactRecord } from '../store/artifact-record.js';
import { conversionFindings } from './conversion-findings.js';
import { type Converted, convertInto } from './convert-into.js';
import type { ConvertOptions, MadeModel } from './convert-options.js';
import { entryNameOf } from './entry-name.js';
import { expandConversion } from './expand-conversion.js';
import type { Source } from './open-source.js';
import { countPrepacked } from './optimised-source.js';
import { type OutputPlace, replaceFolder } from './output-place.js';
import { replaceModelFile } from './replace-model-file.js';
import { runtimeNeed } from './runtime-need.js';
import { totalNodes } from './total-nodes.js';
import { totalWeights } from './total-weights.js';
import { pageBytes } from './write/plan-data-file.js';
import { writeArtifactRecord } from './write-artifact-record.js';

type Output = { readonly converted: Converted; readonly record: ArtifactRecord | null };

/**
 * Converts a model to another ONNX model.
 *
 * @param source - The model.
 * @param options - How; the layout is `single` or `external`.
 * @param place - Where to.
 * @param context - Stops the work; hears of its progress.
 * @returns What was made.
 * @throws What `convertModel` says, and the file system's own error.
 */
export async function convertOnnx(
  source: Source,
  options: ConvertOptions,
  place: OutputPlace,
  context: WorkContext,
): Promise<MadeModel> {
  const { converted, record } = await writeOutput(source, options, place, context);
  const { conversion, written, known, loadCheck } = converted;
  const nodes = totalNodes(conversion);
  return {
    variant: nameVariant({ ...options, layout: written.layout }),
    ...{ record, nodes, loadCheck, castsAdded: conversion.castsAdded },
    sizeBytes: written.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    weights: totalWeights(conversion, known),
    findings: [
      ...layoutFindings(converted, options),
      ...bindingFindings(source, options),
      ...conversionFindings(conversion, known, nodes, options),
    ],
  };
}

function writeOutput(
  source: Source,
  options: ConvertOptions,
  place: OutputPlace,
  context: WorkContext,
): Promise<Output> {
  const build = async (target: string, folder: string | undefined): Promise<Output> => {
    const files = { target, hash: folder !== undefined };
    const converted = await convertInto(source, options, files, context);
    const record = folder === undefined ? null : await writeRecord(folder, converted, source, options);
    await refuseIfChanged(source.onnx.bytes);
    context.signal.throwIfAborted();
    return { converted, record };
  };
  if (place.kind === 'file') return replaceModelFile(place.path, (path) => build(path, undefined));
  return replaceFolder(place.path, (folder) => build(join(folder, entryNameOf(options)), folder));
}

async function writeRecord(
  folder: string,
  converted: Converted,
  source: Source,
  options: ConvertOptions,
): Promise<ArtifactRecord> {
  const { written, conversion } = converted;
  const entry = entryNameOf(options);
  return writeArtifactRecord({
    ...{ folder, entry, source, sourceSha256: options.sourceSha256 },
    variant: nameVariant({ ...options, layout: written.layout }),
    files: written.files.map(({ name, sizeBytes, sha256 = '' }) => ({ path: name, sizeBytes, sha256 })),
    requires: runtimeNeed(options.engine, conversion.model, source.onnx),
    expansion: await expandConversion(source.onnx, converted, options, entry),
    options: recordedOptions(options),
  });
}

/** The options that shape the result. */
function recordedOptions(options: ConvertOptions): ArtifactRecord['provenance']['options'] {
  const { precision, layout, engine, minWeightBytes, maxWeightError, io, withoutRules } = options;
  const keepFp32 = options.keepFp32.map(({ kind, name }) => `${kind}:${name}`);
  const inference = options.inference === 'f32' ? {} : { inference: options.inference };
  return {
    precision,
    layout,
    engine,
    ...inference,
    minWeightBytes,
    maxWeightError,
    io,
    keepFp32,
    withoutRules,
  };
}

function layoutFindings(
  { written, loadCheck }: Converted,
  { model: path, layout, engine }: ConvertOptions,
): Finding[] {
  const findings: Finding[] = [];
  if (loadCheck === 'not-judged') findings.push(makeFinding('warning', 'load-not-judged', { engine, path }));
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

/** What a source brings of the machine on which onnxruntime has saved it. */
function bindingFindings({ onnx }: Source, { model: path, engine }: ConvertOptions): Finding[] {
  const { boundTo } = runtimeNeed(engine, onnx.model, onnx);
  const tensorCount = countPrepacked(onnx.model);
  return [
    ...(boundTo === null ? [] : [makeFinding('warning', 'artifact-bound', { path, engine, ...boundTo })]),
    ...(tensorCount === 0 ? [] : [makeFinding('info', 'prepacked-left-out', { path, tensorCount })]),
  ];
}
