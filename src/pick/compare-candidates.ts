import { deliveries } from '../lib/delivery.js';
import { startModes } from '../lib/start-mode.js';
import { engines, layouts } from '../lib/variant.js';
import type { PickCandidate } from './pick-candidate.js';
import type { Contender } from './value-contenders.js';

/**
 * Orders contenders, best first: lower value, then what burdens a release less, then the id, so that the outcome
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

/** A whole order, so sizes count exactly; {@link chooseLightest} decides who ships. */
function compareBurdens(left: PickCandidate, right: PickCandidate): number {
  return (
    Number(left.binding !== null) - Number(right.binding !== null) ||
    left.deployedBytes - right.deployedBytes ||
    compareSimplicity(left, right)
  );
}

/**
 * Deployed sizes that differ by at most this share of the smaller one decide nothing: what is simpler ships then.
 */
const sizeShare = 0.01;

/**
 * Chooses, of those that measuring does not tell apart, the one that burdens a release least: bound to nothing, then of
 * those that are within 1 % of the smallest to deploy the simplest engine, layout, delivery and start mode, then the
 * smaller memory. All are held against the smallest: a chain of neighbours leads nowhere.
 *
 * @param alike - One at least, in the order in which they are taken where nothing else decides.
 * @returns One of them; undefined of none.
 */
export function chooseLightest(alike: readonly Contender[]): Contender | undefined {
  const unbound = alike.filter(({ candidate }) => candidate.binding === null);
  const able = unbound.length > 0 ? unbound : alike;
  const smallestBytes = Math.min(...able.map(({ candidate }) => candidate.deployedBytes));
  // The sort is stable.
  return able
    .filter(({ candidate }) => candidate.deployedBytes <= smallestBytes * (1 + sizeShare))
    .toSorted((left, right) => compareSimplicity(left.candidate, right.candidate))[0];
}

/**
 * Tells whether two candidates are of the same size to deploy, as far as that decides anything.
 *
 * @param left - One candidate.
 * @param right - Another.
 * @returns True within 1 % of the smaller one.
 */
export function isOfSameSize(left: PickCandidate, right: PickCandidate): boolean {
  const [smaller, larger] = [left.deployedBytes, right.deployedBytes].sort((one, other) => one - other);
  return (larger ?? 0) <= (smaller ?? 0) * (1 + sizeShare);
}

/**
 * Orders candidates by how simple they are: engine, layout, delivery, start mode, memory.
 *
 * @param left - One candidate.
 * @param right - Another.
 * @returns Negative when `left` is simpler.
 */
export function compareSimplicity(left: PickCandidate, right: PickCandidate): number {
  return (
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
