import { deliveries } from '../lib/delivery.js';
import { startModes } from '../lib/start-mode.js';
import { engines, layouts } from '../lib/variant.js';
import type { PickCandidate } from './pick-candidate.js';
import type { Contender } from './value-contenders.js';

/**
 * Orders contenders, best first: lower value, then what {@link compareBurdens} prefers, then the id, so that the outcome
 * does not depend on the order in which they were listed.
 *
 * @param left - One contender.
 * @param right - Another.
 * @returns Negative when `left` is better.
 */
export function compareContenders(left: Contender, right: Contender): number {
  return (
    left.value - right.value ||
    compareBurdens(left.candidate, right.candidate) ||
    compareNames(left.candidate, right.candidate)
  );
}

/**
 * Orders candidates by what they burden a release with, whatever was measured: what is bound to nothing,
 * then the smaller to deploy, then the simpler engine, layout, delivery and start mode, then the smaller memory.
 *
 * @param left - One candidate.
 * @param right - Another.
 * @returns Negative when `left` is to be preferred.
 */
export function compareBurdens(left: PickCandidate, right: PickCandidate): number {
  return (
    Number(left.binding !== null) - Number(right.binding !== null) ||
    left.deployedBytes - right.deployedBytes ||
    engines.indexOf(left.engine) - engines.indexOf(right.engine) ||
    layouts.indexOf(left.layout) - layouts.indexOf(right.layout) ||
    deliveries.indexOf(left.delivery) - deliveries.indexOf(right.delivery) ||
    startModes.indexOf(left.startMode) - startModes.indexOf(right.startMode) ||
    (left.memoryMiB ?? 0) - (right.memoryMiB ?? 0)
  );
}

/**
 * Orders candidates that are not compared by value: by the order of deliveries, then by id, start mode and memory.
 *
 * @param left - One candidate.
 * @param right - Another.
 * @returns Negative when `left` comes first.
 */
export function compareNames(left: PickCandidate, right: PickCandidate): number {
  return (
    deliveries.indexOf(left.delivery) - deliveries.indexOf(right.delivery) ||
    (left.variantId < right.variantId ? -1 : Number(left.variantId > right.variantId)) ||
    startModes.indexOf(left.startMode) - startModes.indexOf(right.startMode) ||
    (left.memoryMiB ?? 0) - (right.memoryMiB ?? 0)
  );
}
