import type { Delivery } from '../lib/delivery.js';
import { type BudgetLine, type CountedItem, drawBudgetLine } from './budget-line.js';
import type { CheckedArtifact, CheckOptions } from './check-budgets.js';
import { limitProfiles } from './lambda-limits.js';
import { type MeasuredFile, sumFileBytes } from './measured-file.js';
import type { Limits } from './resolve-limits.js';
import type { ShippedRuntime } from './shipped-runtime.js';

/** What the lines of one variant × delivery are drawn from. */
export type RowParts = Pick<CheckOptions, 'limits' | 'mountMode'> & {
  readonly artifact: CheckedArtifact;
  readonly delivery: Delivery;
  readonly shipped: ShippedRuntime;
  readonly zippedBytesOf: (file: MeasuredFile) => Promise<number>;
};

type Group = { readonly what: string; readonly files: readonly MeasuredFile[] };

/**
 * Decides what a delivery counts against which budget: the package holds runtime and loader always and the artifact for
 * `layer`; `s3-copy`, `url` and a copying `mount` fill ephemeral storage with the artifact, `stream` with its expanded
 * form, which OpenVINO's own formats have none of; `lazy` holds artifact and session in memory.
 *
 * @param parts - One artifact, one delivery, the limits and what is shipped besides.
 * @returns The lines, those that make a verdict first.
 */
export async function planBudgetLines(parts: RowParts): Promise<readonly BudgetLine[]> {
  const { artifact, delivery, limits } = parts;
  const groups = groupPackage(parts);
  const unzipped = drawBudgetLine({
    budget: 'unzipped',
    counted: groups.map(({ what, files }) => ({ what, sizeBytes: sumFileBytes(files) })),
    limitBytes: limits.unzippedBytes,
    rule: limitProfiles[limits.profile].unzipped.rule,
    whenOver: 'fail',
  });
  const written = findWritten(parts);
  const others = [
    ...(written === null ? [] : [drawEphemeral(written, limits)]),
    ...(delivery === 'lazy' ? [drawMemory(artifact, limits)] : []),
  ];
  // Without the runtime the sum is no measurement; but what is over already stays over.
  if (parts.shipped.pack === null) return [...(unzipped.verdict === 'fail' ? [unzipped] : []), ...others];
  return [unzipped, ...others, await drawZipped(groups, parts)];
}

/** What ephemeral storage has to hold; null where nothing is written to it. */
function findWritten({ artifact, delivery, mountMode }: RowParts): CountedItem | null {
  if (delivery === 'layer' || delivery === 'lazy') return null;
  if (delivery === 'mount' && mountMode === 'direct') return null;
  const form = isOwnFormat(artifact) ? 'as it is' : 'expanded to FP32';
  return delivery === 'stream'
    ? { what: `${artifact.subject} ${form}`, sizeBytes: artifact.expandedSizeBytes }
    : { what: nameArtifact(artifact), sizeBytes: sumFileBytes(artifact.files) };
}

/** What OpenVINO maps is what is there: nothing of it is expanded while it is written. */
function isOwnFormat({ layout }: CheckedArtifact): boolean {
  return layout === 'ir' || layout === 'blob';
}

function drawEphemeral(written: CountedItem, limits: Limits): BudgetLine {
  return drawBudgetLine({
    budget: 'ephemeral',
    counted: [written],
    limitBytes: limits.ephemeralBytes,
    rule: 'at most',
    whenOver: 'fail',
  });
}

function groupPackage({ artifact, delivery, shipped }: RowParts): readonly Group[] {
  const { engine, pack, loaderFiles } = shipped;
  const packed = pack === null ? [] : [{ ...pack, what: `${engine} ${pack.version}` }];
  const always = [
    ...packed.map(({ what, files }) => ({ what: `runtime pack ${what} (${countFiles(files)})`, files })),
    { what: `loader (${countFiles(loaderFiles)})`, files: loaderFiles },
  ];
  return delivery === 'layer' ? [...always, { what: nameArtifact(artifact), files: artifact.files }] : always;
}

/** Once the artifact alone takes more than there is, nothing about it is an estimate any more. */
function drawMemory(artifact: CheckedArtifact, limits: Limits): BudgetLine {
  const limitBytes = limits.memoryBytes ?? limitProfiles[limits.profile].memory.maximumMiB * 1024 ** 2;
  const own = { what: 'artifact in memory', sizeBytes: artifact.sizeBytes };
  const besides = artifact.layout === 'blob' ? '; what a compiled model has besides is not known' : '';
  const what = `session, estimated as the FP32 size${besides}`;
  const session = { what, sizeBytes: artifact.sessionSizeBytes };
  const isBeyond = artifact.sizeBytes > limitBytes;
  return drawBudgetLine({
    budget: 'memory',
    counted: isBeyond ? [own] : [own, session],
    limitBytes,
    rule: 'at most',
    whenOver: isBeyond ? 'fail' : 'finding',
  });
}

async function drawZipped(groups: readonly Group[], parts: RowParts): Promise<BudgetLine> {
  const counted: CountedItem[] = [];
  for (const { what, files } of groups) {
    let sizeBytes = 0;
    for (const file of files) sizeBytes += await parts.zippedBytesOf(file);
    counted.push({ what: `${what}, zipped, estimated`, sizeBytes });
  }
  return drawBudgetLine({
    budget: 'zipped',
    counted,
    limitBytes: parts.limits.zippedBytes,
    rule: limitProfiles[parts.limits.profile].zipped.rule,
    whenOver: 'finding',
  });
}

function nameArtifact(artifact: CheckedArtifact): string {
  return `artifact ${artifact.subject} (${countFiles(artifact.files)})`;
}

function countFiles(files: readonly MeasuredFile[]): string {
  return files.length === 1 ? '1 file' : `${files.length} files`;
}
