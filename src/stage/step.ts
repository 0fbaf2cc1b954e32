import { formatBytes, formatMs } from '../lib/format-quantity.js';
import type { Step } from '../pipeline/step.js';
import { readArtifactFolder } from '../store/artifact-record.js';
import { findStagedProblems } from '../store/examine-staged.js';
import { openStore } from '../store/open-store.js';
import { stagedKeys } from '../store/staged-layout.js';
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
 * @returns The step; it is still done while every object is in the store with its size and content.
 */
export function stageStep(options: StageStepOptions): Step<StageResult> {
  const { to, name, digest, variantId } = options;
  return {
    verb: 'stage',
    subject: variantId,
    // How parallel it was sent changes nothing about what is there.
    key: { to, name, digest },
    ensures: (_output, { signal }) => isStillStaged(options, signal),
    call: async (context) => {
      const output = await stageArtifact(options, context);
      return { output, line: describeStaging(output), findings: output.findings, verdict: 'ok' };
    },
  };
}

async function isStillStaged(
  { artifact, to, name, digest, settings }: StageStepOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const { record } = await readArtifactFolder(artifact);
  if (record.digest !== digest) return false;
  return (
    (await findStagedProblems(await openStore(to, settings), stagedKeys(name), record, signal)).length === 0
  );
}

function describeStaging({ sentBytes, reusedBytes, durationMs, storeUrl }: StageResult): string {
  if (sentBytes === 0) return `already in ${storeUrl}, ${formatBytes(reusedBytes)}`;
  const reused = reusedBytes === 0 ? '' : `, ${formatBytes(reusedBytes)} were there`;
  return `${formatBytes(sentBytes)} to ${storeUrl} in ${formatMs(durationMs)}${reused}`;
}
