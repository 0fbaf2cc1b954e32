import { type Finding, makeFinding } from '../../messages/finding.js';
import type { KeptReason, WeightTotals } from '../convert-options.js';
import type { ComparedConstants, KeptConstant, RoundedConstant } from './compare-constants.js';
import type { IrConstant } from './read-ir.js';
import { type RoundStats, roundErrorOf } from './round-stats.js';

const exampleCount = 5;

/** When becoming 0 is worth a look: as in conversions of ours, whose weights have nearly the same numbers. */
const notableShare = 0.01;
const smallScale = 2 ** -11;

/** What became of the weights where nothing was stored as FP16. */
export const untouchedWeights: WeightTotals = {
  ...{ storedAsFp16: 0, fp16Bytes: 0, losslessTensors: 0, values: 0, vanishedValues: 0, subnormalValues: 0 },
  ...{ clampedValues: 0, overflowingValues: 0, maxRelativeError: 0, keptFp32: [] },
};

/**
 * Adds up what became of the constants of an IR.
 *
 * @param compared - Each of them.
 * @returns The totals.
 */
export function totalConstants({ rounded, kept }: ComparedConstants): WeightTotals {
  const sum = (count: (stats: RoundStats) => number): number =>
    rounded.reduce((total, { stats }) => total + count(stats), 0);
  const values = sum((stats) => stats.values);
  return {
    storedAsFp16: rounded.length,
    fp16Bytes: values * 2,
    losslessTensors: rounded.filter(({ stats }) => stats.exactCount === stats.values).length,
    values,
    vanishedValues: sum(({ vanishedCount }) => vanishedCount),
    subnormalValues: sum(({ subnormalCount }) => subnormalCount),
    clampedValues: sum(({ clampedCount }) => clampedCount),
    overflowingValues: kept.reduce((total, { beyondCount }) => total + beyondCount, 0),
    maxRelativeError: rounded.reduce((worst, { stats }) => Math.max(worst, roundErrorOf(stats)), 0),
    keptFp32: kept.map((constant) => ({
      name: nameConstant(constant.constant),
      scope: constant.constant.scope,
      reason: reasonOf(constant),
      sizeBytes: constant.constant.sizeBytes,
    })),
  };
}

/**
 * Says what storing the constants of an IR as FP16 lost.
 *
 * @param compared - What became of each; null where that could not be found out.
 * @param path - The model.
 * @returns Findings in a fixed order.
 */
export function constantFindings(compared: ComparedConstants | null, path: string): Finding[] {
  if (compared === null) return [makeFinding('warning', 'ir-not-compared', { path })];
  const { rounded, kept } = compared;
  const nothing = rounded.length === 0 ? [makeFinding('warning', 'no-constant-stored', { path })] : [];
  return [
    ...nothing,
    ...clampedFindings(rounded, path),
    ...keptFindings(kept, path),
    ...vanishedFindings(rounded, path),
  ];
}

function clampedFindings(rounded: readonly RoundedConstant[], path: string): Finding[] {
  const clamped = rounded.filter(({ stats }) => stats.clampedCount > 0);
  if (clamped.length === 0) return [];
  const facts = {
    path,
    valueCount: clamped.reduce((sum, { stats }) => sum + stats.clampedCount, 0),
    nonFiniteCount: clamped.reduce((sum, { stats }) => sum + stats.nonFiniteCount, 0),
    constantCount: clamped.length,
    largest: clamped.reduce((most, { stats }) => Math.max(most, stats.largest), 0),
    examples: clamped.slice(0, exampleCount).map(({ constant }) => nameConstant(constant)),
  };
  return [makeFinding('warning', 'constants-clamped', facts)];
}

function keptFindings(kept: readonly KeptConstant[], path: string): Finding[] {
  if (kept.length === 0) return [];
  const facts = {
    path,
    constantCount: kept.length,
    sizeBytes: kept.reduce((sum, { constant }) => sum + constant.sizeBytes, 0),
    outsideCount: kept.filter(({ isMostlyOutside }) => isMostlyOutside).length,
    examples: kept.slice(0, exampleCount).map(({ constant }) => nameConstant(constant)),
  };
  return [makeFinding('info', 'constants-kept-fp32', facts)];
}

function vanishedFindings(rounded: readonly RoundedConstant[], path: string): Finding[] {
  const lossy = rounded.filter(({ stats }) => stats.vanishedCount > 0);
  if (lossy.length === 0) return [];
  const share = ({ stats }: RoundedConstant): number => stats.vanishedCount / stats.values;
  const grave = lossy.filter((each) => share(each) >= notableShare && each.stats.largest < smallScale);
  const worst = (grave.length > 0 ? grave : lossy).reduce((most, constant) =>
    share(constant) > share(most) ? constant : most,
  );
  const facts = {
    path,
    valueCount: lossy.reduce((sum, { stats }) => sum + stats.vanishedCount, 0),
    constantCount: lossy.length,
    examples: lossy.slice(0, exampleCount).map(({ constant }) => nameConstant(constant)),
    worst: { name: nameConstant(worst.constant), share: share(worst), largest: worst.stats.largest },
  };
  return [makeFinding(grave.length > 0 ? 'warning' : 'info', 'constants-vanished', facts)];
}

/** As the exported model calls it, where OpenVINO kept that; what it folded or turned has a name of its own. */
function nameConstant({ name, onnxNames }: IrConstant): string {
  return onnxNames[0] ?? name;
}

function reasonOf({ isMostlyOutside }: KeptConstant): KeptReason {
  return isMostlyOutside ? 'mostly outside FP16' : 'its precision matters to OpenVINO';
}
