import type { Delivery } from '../lib/delivery.js';
import type { Engine, Layout } from '../lib/variant.js';
import { quietContext, type WorkContext } from '../lib/work-context.js';
import type { Finding } from '../messages/finding.js';
import { findBudgetProblems, reportUnjudged } from './budget-findings.js';
import { type BudgetLine, describeBudgetLine } from './budget-line.js';
import { estimateZippedBytes } from './estimate-zip.js';
import type { MeasuredFile } from './measured-file.js';
import { planBudgetLines } from './plan-budget-lines.js';
import type { Limits } from './resolve-limits.js';
import {
  findShipped,
  listPacks,
  type RuntimePackResult,
  type ShippedRuntime,
  shippedFor,
} from './shipped-runtime.js';

/** One artifact as it is checked. */
export type CheckedArtifact = {
  /** What it is called in rows and messages; no two artifacts of a check share it. */
  readonly subject: string;
  readonly variantId: string;
  /** What opens it. */
  readonly engine: Engine;
  readonly layout: Layout;
  /** As it was given. */
  readonly path: string;
  /** The model's own files together, bytes. */
  readonly sizeBytes: number;
  /** The form that `stream` writes: every half that its plan knows of expanded to FP32, bytes. */
  readonly expandedSizeBytes: number;
  /** What a session is estimated to hold: the model as FP32, bytes. */
  readonly sessionSizeBytes: number;
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
  /** What is shipped beside the artifacts, for each engine and layout among them. */
  readonly shipped: readonly ShippedRuntime[];
};

/** How one variant by one delivery came out. */
export type BudgetRow = {
  /** The artifact's subject: its variant id where no other artifact has the same, else its path. */
  readonly variantId: string;
  readonly delivery: Delivery;
  /** `unknown` where the engine is not installed here, and what is known fits. */
  readonly verdict: 'pass' | 'fail' | 'unknown';
  /** One sentence. */
  readonly reason: string;
  readonly lines: readonly BudgetLine[];
};

/** What {@link checkBudgets} found. */
export type CheckResult = {
  readonly limits: Limits;
  readonly rows: readonly BudgetRow[];
  /** One per engine and group of layouts that need the same files; none for an engine that is not installed here. */
  readonly runtimePacks: readonly RuntimePackResult[];
  readonly findings: readonly Finding[];
};

/**
 * Holds every variant × delivery against the limits of the function it would be shipped in.
 *
 * @param options - Artifacts, deliveries, limits, and what is shipped with them.
 * @param context - Signal and progress; the zip estimate reads samples of every file.
 * @returns A row per variant and delivery with what was counted, and findings.
 * @throws file-system-refused when a file cannot be read.
 */
export async function checkBudgets(
  options: CheckOptions,
  context: WorkContext = quietContext(),
): Promise<CheckResult> {
  const { artifacts, deliveries, mountMode, limits } = options;
  const zippedBytesOf = rememberEstimates(context, countFiles(options));
  const rows: BudgetRow[] = [];
  for (const artifact of artifacts) {
    const shipped = findShipped(options.shipped, artifact);
    for (const delivery of deliveries) {
      const parts = { artifact, delivery, mountMode, limits, shipped, zippedBytesOf };
      rows.push(judgeRow(artifact.subject, delivery, await planBudgetLines(parts), shipped));
    }
  }
  return {
    limits,
    rows,
    runtimePacks: listPacks(options.shipped),
    findings: [...reportUnjudged(options), ...rows.flatMap((row) => findBudgetProblems(row, limits))],
  };
}

/** The verdict of a row: any failed line fails it; what is only estimated never does. */
function judgeRow(
  subject: string,
  delivery: Delivery,
  lines: readonly BudgetLine[],
  { engine, pack }: ShippedRuntime,
): BudgetRow {
  const row = { variantId: subject, delivery, lines };
  const failed = lines.filter((line) => line.verdict === 'fail');
  if (failed.length > 0) return { ...row, verdict: 'fail', reason: tell('does not fit', failed) };
  if (pack === null)
    return { ...row, verdict: 'unknown', reason: `cannot be judged: no ${engine} for ${shippedFor} is here` };
  return { ...row, verdict: 'pass', reason: tell('fits', lines.filter(isBinding)) };
}

function tell(what: string, lines: readonly BudgetLine[]): string {
  return `${what}: ${lines.map(describeBudgetLine).join('; ')}`;
}

function isBinding(line: BudgetLine): boolean {
  return line.budget === 'unzipped' || line.budget === 'ephemeral';
}

function countFiles({ artifacts, shipped }: CheckOptions): number {
  const groups = [
    ...artifacts.map(({ files }) => files),
    ...shipped.flatMap(({ pack, loaderFiles }) => [pack?.files ?? [], loaderFiles]),
  ];
  return new Set(groups.flat().map(({ path, sourcePath = path }) => sourcePath)).size;
}

/** Estimates each file once, however many rows and packs count it. */
function rememberEstimates(context: WorkContext, total: number): (file: MeasuredFile) => Promise<number> {
  const known = new Map<string, Promise<number>>();
  return (file) => {
    const { path, sizeBytes, sourcePath = path } = file;
    const name = JSON.stringify([path, sizeBytes, sourcePath]);
    const before = known.get(name);
    if (before !== undefined) return before;
    const estimate = estimateZippedBytes(file, context.signal);
    known.set(name, estimate);
    context.progress({ label: 'check', done: known.size, total, unit: 'items' });
    return estimate;
  };
}
