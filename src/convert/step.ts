import { formatBytes } from '../lib/format-quantity.js';
import type { JsonValue } from '../lib/json.js';
import type { Processor } from '../lib/processor.js';
import { nameVariant } from '../lib/variant.js';
import type { Step } from '../pipeline/step.js';
import { verifyArtifactFolder } from '../store/artifact-record.js';
import { convertModel } from './convert-model.js';
import type { ConvertOptions, ConvertResult } from './convert-options.js';

/**
 * Adapts a conversion to the step contract.
 *
 * @param options - As for {@link convertModel}, with `out` a folder, the SHA-256 of the source model, and the processor of
 *   this machine.
 * @returns The step; it is still done while all files of the artifact have the content of its record.
 */
export function convertStep(
  options: ConvertOptions & { readonly sourceSha256: string; readonly processor: Processor },
): Step<ConvertResult> {
  const { precision, layout, engine, inference } = options;
  return {
    verb: 'convert',
    subject: nameVariant({ precision, engine, layout, inference }).id,
    key: shapingOf(options),
    ensures: async (output, { signal }) => {
      const found = await verifyArtifactFolder(options.out, signal).catch(() => {
        signal.throwIfAborted();
        return undefined;
      });
      return found !== undefined && found.record.digest === output.record?.digest;
    },
    call: async (context) => {
      const output = await convertModel(options, context);
      return { output, line: describeResult(output), findings: output.findings, verdict: 'ok' };
    },
  };
}

/** All that shapes the result, so that a new option cannot be forgotten here; only little of it shapes an IR. */
function shapingOf(options: Parameters<typeof convertStep>[0]): JsonValue {
  const { model: _path, out: _folder, loadCheck: _check, processor, ...others } = options;
  const { precision, layout, engine, inference, sourceSha256 } = options;
  // A blob is compiled for it; and what it cannot compute in is not made.
  const isOfMachine = layout === 'blob' || inference !== 'f32';
  const machine = isOfMachine ? { processor } : {};
  if (layout === 'ir' || layout === 'blob')
    return { precision, layout, engine, inference, sourceSha256, ...machine };
  const shaping = { ...others, ...machine };
  return { ...shaping, keepFp32: options.keepFp32.map(({ kind, name }) => `${kind}:${name}`) };
}

function describeResult(result: ConvertResult): string {
  const share = ((result.sizeBytes / result.sourceSizeBytes) * 100).toFixed(1);
  const size = `${formatBytes(result.sizeBytes)} (${share} % of the source)`;
  const { storedAsFp16 } = result.weights;
  const weights =
    storedAsFp16 === 0 ? [] : [`${storedAsFp16} ${storedAsFp16 === 1 ? 'weight' : 'weights'} stored as FP16`];
  const { fp16, allowed } = result.nodes;
  const nodes = fp16 === 0 ? [] : [`${fp16} of ${allowed} nodes in FP16`];
  return [size, ...weights, ...nodes].join(', ');
}
