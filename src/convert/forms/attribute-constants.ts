import { attributeNumbers, markOfNumbers } from '../plan/constant-marks.js';
import { isFloat, type Value, type ValueGraph } from '../plan/value-graph.js';
import type { Demand } from './demand.js';

/**
 * Finds the Constants with numbers in an attribute (`value_float`, `value_floats`) that only FP16 nodes read and that FP16
 * can hold: they become FP16 tensors.
 *
 * @param graph - The model.
 * @param demands - How its values are read.
 * @returns What those Constants give.
 */
export function findHalfConstants(graph: ValueGraph, demands: ReadonlyMap<Value, Demand>): Value[] {
  const found: Value[] = [];
  for (const { nodes } of graph.scopes) {
    for (const { kind, node, outputs } of nodes) {
      const [value] = outputs;
      const numbers = kind === 'constant' && isFloat(value) ? attributeNumbers(node) : undefined;
      if (value === undefined || numbers === undefined || markOfNumbers(numbers) === 'wide') continue;
      const demand = demands.get(value);
      if (demand?.half === true && !demand.float) found.push(value);
    }
  }
  return found;
}
