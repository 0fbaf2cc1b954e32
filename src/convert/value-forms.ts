import { namesReadInBodies } from '../onnx/sort-nodes.js';
import type { NodePlan } from './half-plan.js';

/** In which forms an FP32 value of the main graph is read. */
export type Demand = {
  /** Some node reads it as FP16. */
  readonly half: boolean;
  /** Some node reads it as FP32. */
  readonly float: boolean;
  /** It must be FP32 under its own name: the graph gives it out, or a body reads it. */
  readonly ownName: boolean;
};

/** No demand at all. */
export const noDemand: Demand = { half: false, float: false, ownName: false };

/**
 * Collects how the values of the main graph are read.
 *
 * @param plans - All nodes.
 * @param outputs - Names of the graph's outputs.
 * @returns Demand by value name; values that are not FP32 may be among them.
 */
export function collectDemands(plans: readonly NodePlan[], outputs: readonly string[]): Map<string, Demand> {
  const demands = new Map<string, Demand>();
  const add = (name: string, more: Partial<Demand>): void => {
    demands.set(name, { ...(demands.get(name) ?? noDemand), ...more });
  };
  for (const { node, wants } of plans) {
    for (const [index, name] of (node.input ?? []).entries()) {
      const want = wants[index];
      if (name !== '' && want === 'half') add(name, { half: true });
      if (name !== '' && want === 'float') add(name, { float: true });
    }
    for (const name of namesReadInBodies(node)) add(name, { float: true, ownName: true });
  }
  for (const name of outputs) add(name, { float: true, ownName: true });
  return demands;
}
