import { findVariantProblem } from '../lib/variant.js';
import { quietContext, type WorkContext } from '../lib/work-context.js';
import { OptimiseModelError } from '../messages/error.js';
import { type Finding, makeFinding } from '../messages/finding.js';
import type { ArtifactRecord, ArtifactSummary } from '../store/artifact-record.js';
import { translateFileSystemError } from '../store/file-system-error.js';
import { convertOnnx } from './convert-onnx.js';
import type { ConvertOptions, ConvertResult } from './convert-options.js';
import { openSource, type Source } from './open-source.js';
import { listOptimiserOperators } from './optimised-source.js';
import { openOutput } from './output-place.js';
import { refuseBrokenGraph } from './refuse-broken.js';
import { refuseInference } from './refuse-inference.js';
import { readReplaced } from './replaceable-folder.js';

const command = 'optimise-model convert';

/**
 * Converts a model to one variant and writes it, as an artifact's folder or as a bare model.
 *
 * The same model and options give the same bytes. Nothing is left at the target when the work fails or is stopped.
 *
 * @param options - What to convert, how, and where to.
 * @param context - Stops the work; hears of its progress.
 * @returns What was made, with sizes in bytes.
 * @throws Whatever reading a model throws (`model-…`, `tensor-wrong`, `external-data-refused`), `usage-wrong`, `output-refused`,
 *   `output-set-aside`, `model-names-repeated`, `model-has-cycle`, `model-too-large-inline`, `io-name-unknown`, `keep-rule-unmatched`,
 *   `file-system-refused`; `runtime-missing`, `ovc-missing`, `ovc-failed`, `openvino-refused-model`,
 *   `inference-not-available` for OpenVINO; `converted-model-refused` when the engine does not open the result; `conversion-broken`
 *   when what was written is not what was meant, which is a bug.
 */
export async function convertModel(
  options: ConvertOptions,
  context: WorkContext = quietContext(),
): Promise<ConvertResult> {
  refuseImpossible(options);
  await refuseInference(options.inference, context);
  const source = await openSource(options.model);
  if (options.engine === 'openvino') refuseOptimised(source);
  const isIr = options.layout === 'ir' || options.layout === 'blob';
  // Nothing of the graph is edited for an IR: OpenVINO reads what was exported.
  if (options.precision !== 'fp32' && !isIr) refuseBrokenGraph(source.onnx.path, source.onnx.model);
  const sources = [source.onnx.path, ...source.externalFiles.map((file) => file.path)];
  const place = await openOutput(options.out, sources);
  if (isIr && bareFile.test(options.out)) refuseBareFile(options);
  const before = place.kind === 'folder' ? await readReplaced(place.path) : undefined;
  // Most conversions read no XML.
  const make = isIr ? (await import('./openvino/convert-to-ir.js')).convertToIr : convertOnnx;
  const made = await make(source, options, place, context).catch((error: unknown) => {
    throw translateFileSystemError(error, 'write', place.path);
  });
  return {
    ...{ ...made, out: options.out, sourceSizeBytes: source.sizeBytes },
    findings: [...made.findings, ...findReplaced(options.out, before, made.record)],
  };
}

function refuseImpossible(options: ConvertOptions): void {
  const problem = findVariantProblem(options);
  if (problem === undefined) return;
  throw OptimiseModelError.of('usage-wrong', { problem: `There is no such variant: ${problem}.`, command });
}

/** What somebody may ask for who wants no folder; the folder of a variant may end in `.blob`. */
const bareFile = /\.(?:onnx|xml|bin)$/;

function refuseBareFile({ out, layout }: ConvertOptions): never {
  const reason = `${layout} is several files, or bound to where it was made, and needs a folder with what says so`;
  throw OptimiseModelError.of('output-refused', { out, reason });
}

/** OpenVINO has not the operators that onnxruntime makes for itself, and optimises by rules of its own. */
function refuseOptimised({ onnx: { path, model } }: Source): void {
  const operators = listOptimiserOperators(model);
  if (operators.length === 0) return;
  const reason = `onnxruntime has saved it as it had optimised it, with operators of its own (${operators.slice(0, 5).join(', ')})`;
  throw OptimiseModelError.of('openvino-refused-model', { path, reason, operators, isOptimised: true });
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
