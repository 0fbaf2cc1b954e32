import { join } from 'node:path';
import { nameVariant } from '../../lib/variant.js';
import type { WorkContext } from '../../lib/work-context.js';
import { type Finding, makeFinding } from '../../messages/finding.js';
import { dataTypeOf } from '../../onnx/element-type.js';
import { listScopes, listTensors } from '../../onnx/graph-walk.js';
import { refuseIfChanged } from '../../onnx/source-bytes.js';
import { findOpenvino } from '../../runtimes/openvino/find-openvino.js';
import type { ArtifactExpansion } from '../../store/artifact-expansion.js';
import type { ArtifactRecord } from '../../store/artifact-record.js';
import { checkLoad } from '../check-load.js';
import type { ConvertOptions, MadeModel, NodeTotals } from '../convert-options.js';
import { entryNameOf } from '../entry-name.js';
import type { Source } from '../open-source.js';
import { type OutputPlace, replaceFolder } from '../output-place.js';
import { planConversion } from '../plan-conversion.js';
import { totalNodes } from '../total-nodes.js';
import { writeArtifactRecord } from '../write-artifact-record.js';
import { finishFile } from './finish-file.js';
import { constantFindings, totalConstants, untouchedWeights } from './total-constants.js';
import { writeBlob } from './write-blob.js';
import { writeIr } from './write-ir.js';
import type { WrittenModel } from './written-model.js';

/**
 * Converts a model to what OpenVINO reads or has compiled: `ir` or `blob`. None of its nodes is edited, and of the options
 * only precision and arithmetic count.
 *
 * @param source - The exported model.
 * @param options - How.
 * @param place - The artifact's folder.
 * @param context - Stops the work; hears of its progress.
 * @returns What was made.
 * @throws `runtime-missing`, `ovc-missing`, `ovc-failed`, `openvino-refused-model`, `converted-model-refused`; the file
 *   system's own error.
 */
export async function convertToIr(
  source: Source,
  options: ConvertOptions,
  place: OutputPlace,
  context: WorkContext,
): Promise<MadeModel> {
  const installation = await findOpenvino();
  const write = options.layout === 'blob' ? writeBlob : writeIr;
  return replaceFolder(place.path, async (folder) => {
    const target = { folder, entry: entryNameOf(options) };
    const written = await write({ installation, source, options, target }, context);
    const loadCheck = options.loadCheck
      ? await checkLoad(join(folder, target.entry), { source, options }, context)
      : 'left-out';
    const record = await writeRecord(written, target, { source, options }, context.signal);
    await refuseIfChanged(source.onnx.bytes);
    context.signal.throwIfAborted();
    const { compared } = written;
    return {
      ...{ variant: record.variant, record, sizeBytes: record.sizeBytes, loadCheck, castsAdded: 0 },
      weights: compared === null ? untouchedWeights : totalConstants(compared),
      nodes: await countNodes(source, options),
      findings: [...bfloat16Findings(source), ...listFindings(written, options)],
    };
  });
}

async function writeRecord(
  written: WrittenModel,
  { folder, entry }: { readonly folder: string; readonly entry: string },
  { source, options }: { readonly source: Source; readonly options: ConvertOptions },
  signal: AbortSignal,
): Promise<ArtifactRecord> {
  const { precision, layout, engine, inference, sourceSha256 } = options;
  const files = await Promise.all(written.names.map((name) => finishFile(folder, name, signal)));
  files.sort((left, right) => (left.path < right.path ? -1 : 1));
  return writeArtifactRecord({
    ...{ folder, entry, files, source, sourceSha256 },
    variant: nameVariant(options),
    requires: written.requires,
    expansion: planCopies(files, entry),
    options: { precision, layout, engine, inference, ...written.madeWith },
  });
}

/** What OpenVINO maps is what is there: it has no form that would start faster and could be made of it. */
function planCopies(files: ArtifactRecord['files'], entry: string): ArtifactExpansion {
  return {
    entry,
    literals: '',
    files: files.map(({ path, sizeBytes }, index) => ({
      ...{ path, sizeBytes },
      parts: sizeBytes === 0 ? [] : [['copy', index, 0, sizeBytes] as const],
    })),
  };
}

async function countNodes(source: Source, options: ConvertOptions): Promise<NodeTotals> {
  const untouched = { ...options, precision: 'fp32', keepFp32: [] } as const;
  return totalNodes(await planConversion(source.onnx, untouched, new Map()));
}

/**
 * FP32 constants of an IR are compared with FP16 ones; whether the converter read those of the model right, nothing shows.
 */
function bfloat16Findings({ onnx: { model, path } }: Source): Finding[] {
  const tensors = listScopes(model).flatMap(listTensors);
  const tensorCount = tensors.filter(({ tensor }) => dataTypeOf(tensor.dataType)?.name === 'bfloat16').length;
  return tensorCount === 0
    ? []
    : [makeFinding('warning', 'bfloat16-read-by-openvino', { path, tensorCount })];
}

function listFindings(written: WrittenModel, options: ConvertOptions): Finding[] {
  const { model: path, engine, precision } = options;
  const { boundTo } = written.requires;
  return [
    ...(boundTo === null ? [] : [makeFinding('warning', 'artifact-bound', { path, engine, ...boundTo })]),
    ...(precision === 'fp32' ? [] : constantFindings(written.compared, path)),
  ];
}
