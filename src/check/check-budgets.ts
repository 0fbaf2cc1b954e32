import type { Delivery } from '../lib/delivery.js';
import { quietContext, type WorkContext } from '../lib/work-context.js';
import type { Finding } from '../messages/finding.js';
import { findBudgetProblems } from './budget-findings.js';
import { type BudgetLine, describeBudgetLine } from './budget-line.js';
import { estimateZippedBytes } from './estimate-zip.js';
import { type MeasuredFile, sumFileBytes } from './measured-file.js';
import { planBudgetLines } from './plan-budget-lines.js';
import type { Limits } from './resolve-limits.js';

/** One artifact as it is checked. */
export type CheckedArtifact = {
  /** What it is called in rows and messages; no two artifacts of a check share it. */
  readonly subject: string;
  readonly variantId: string;
  /** As it was given. */
  readonly path: string;
  /** The model's own files together, bytes. */
  readonly sizeBytes: number;
  /** The same model with every stored half expanded to FP32, bytes; what a session is estimated to hold. */
  readonly expandedSizeBytes: number;
  /** Every file that is placed on the machine, `artifact.json` included. */
  readonly files: readonly MeasuredFile[];
};

/** What {@link checkBudgets} is asked. */
export type CheckOptions = {
  readonly artifacts: readonly CheckedArtifact[];
  readonly deliveries: readonly Delivery[];
  /** Whether `mount` copies the files to ephemeral storage, or opens them where they are. */
  readonly mountMode: 'copy' | 'direct';
  readonly limits: Limits;
  /** The pruned runtime for the target platform, file by file. */
  readonly runtimePack: { readonly version: string; readonly files: readonly MeasuredFile[] };
  /** What a handler needs besides the runtime to open an artifact. */
  readonly loaderFiles: readonly MeasuredFile[];
};

/** How one variant by one delivery came out. */
export type BudgetRow = {
  /** The artifact's subject: its variant id where no other artifact has the same, else its path. */
  readonly variantId: string;
  readonly delivery: Delivery;
  readonly verdict: 'pass' | 'fail';
  /** One sentence. */
  readonly reason: string;
  readonly lines: readonly BudgetLine[];
};

/** What {@link checkBudgets} found. */
export type CheckResult = {
  readonly limits: Limits;
  readonly rows: readonly BudgetRow[];
  readonly runtimePack: {
    readonly version: string;
    readonly files: readonly { readonly path: string; readonly sizeBytes: number }[];
    readonly sizeBytes: number;
  };
  readonly findings: readonly Finding[];
};

/**
 * Holds every variant × delivery against the limits of the function it would be shipped in.
 *
 * @param options - Artifacts, deliveries, limits, the runtime pack and the loader.
 * @param context - Signal and progress; the zip estimate reads samples of every file.
 * @returns A row per variant and delivery with what was counted, and findings.
 * @throws file-system-refused when a file cannot be read.
 */
export async function checkBudgets(
  options: CheckOptions,
  context: WorkContext = quietContext(),
): Promise<CheckResult> {
  const { artifacts, deliveries, mountMode, limits, runtimePack, loaderFiles } = options;
  const zippedBytesOf = rememberEstimates(context, countFiles(options));
  const rows: BudgetRow[] = [];
  for (const artifact of artifacts) {
    for (const delivery of deliveries) {
      const lines = await planBudgetLines({
        artifact,
        delivery,
        mountMode,
        limits,
        runtimePack,
        loaderFiles,
        zippedBytesOf,
      });
      rows.push(judgeRow(artifact.subject, delivery, lines));
    }
  }
  const files = runtimePack.files.map(({ path, sizeBytes }) => ({ path, sizeBytes }));
  return {
    limits,
    rows,
    runtimePack: { version: runtimePack.version, files, sizeBytes: sumFileBytes(files) },
    findings: rows.flatMap((row) => findBudgetProblems(row, limits)),
  };
}

/** The verdict of a row: any failed line fails it; what is only estimated never does. */
function judgeRow(subject: string, delivery: Delivery, lines: readonly BudgetLine[]): BudgetRow {
  const failed = lines.filter((line) => line.verdict === 'fail');
  const told = failed.length > 0 ? failed : lines.filter((line) => isBinding(line));
  return {
    variantId: subject,
    delivery,
    verdict: failed.length > 0 ? 'fail' : 'pass',
    reason: `${failed.length > 0 ? 'does not fit' : 'fits'}: ${told.map(describeBudgetLine).join('; ')}`,
    lines,
  };
}

function isBinding(line: BudgetLine): boolean {
  return line.budget === 'unzipped' || line.budget === 'ephemeral';
}

function countFiles({ artifacts, runtimePack, loaderFiles }: CheckOptions): number {
  const inArtifacts = artifacts.reduce((sum, artifact) => sum + artifact.files.length, 0);
  return inArtifacts + runtimePack.files.length + loaderFiles.length;
}

/** Estimates each file once, however many rows count it. */
function rememberEstimates(context: WorkContext, total: number): (file: MeasuredFile) => Promise<number> {
  const known = new Map<MeasuredFile, Promise<number>>();
  return (file) => {
    const before = known.get(file);
    if (before !== undefined) return before;
    const estimate = estimateZippedBytes(file, context.signal);
    known.set(file, estimate);
    context.progress({ label: 'check', done: known.size, total, unit: 'items' });
    return estimate;
  };
}
