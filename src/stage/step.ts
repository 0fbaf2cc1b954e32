import { formatBytes, formatMs } from '../lib/format-quantity.js';
import type { Step } from '../pipeline/step.js';
import { openStore } from '../store/open-store.js';
import { type StageOptions, type StageResult, stageArtifact } from './stage-artifact.js';

/** What the step is made from: the options, and what the artifact is. */
export type StageStepOptions = StageOptions & {
  readonly digest: string;
  readonly variantId: string;
};

/**
 * Makes the step that stages one artifact.
 *
 * @param options - As {@link stageArtifact} takes them, the artifact's digest and variant.
 * @returns The step; it is still done while every object is in the store with its size.
 */
export function stageStep(options: StageStepOptions): Step<StageResult> {
  const { to, name, digest, variantId } = options;
  return {
    verb: 'stage',
    subject: variantId,
    // How parallel it was sent changes nothing about what is there.
    key: { to, name, digest },
    ensures: isStillStaged,
    call: async (context) => {
      const output = await stageArtifact(options, context);
      return { output, line: describeStaging(output), findings: output.findings };
    },
  };
}

async function isStillStaged(output: StageResult): Promise<boolean> {
  const store = await openStore(output.storeUrl);
  const found = await Promise.all(output.files.map((file) => store.head(file.key)));
  return output.files.every((file, index) => found[index]?.sizeBytes === file.sizeBytes);
}

function describeStaging({ sentBytes, reusedBytes, durationMs, storeUrl }: StageResult): string {
  if (sentBytes === 0) return `already in ${storeUrl}, ${formatBytes(reusedBytes)}`;
  const reused = reusedBytes === 0 ? '' : `, ${formatBytes(reusedBytes)} were there`;
  return `${formatBytes(sentBytes)} to ${storeUrl} in ${formatMs(durationMs)}${reused}`;
}
