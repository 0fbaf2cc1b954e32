import { OptimiseModelError } from '../messages/error.js';
import { listScopes } from '../onnx/graph-walk.js';
import { findNameFaults } from '../onnx/name-faults.js';
import type { ModelProto } from '../onnx/proto.js';
import { findCycle } from '../onnx/sort-nodes.js';

/**
 * Refuses a model that cannot be edited: one that gives a name to two values, of which runtimes mean different ones and a
 * Cast could follow only one, and one whose nodes wait for each other.
 *
 * @param path - The model.
 * @param model - The model as it was decoded.
 * @throws `model-names-repeated` naming all of them, `model-has-cycle` naming a node of the first.
 */
export function refuseBrokenGraph(path: string, model: ModelProto): void {
  const { repeated } = findNameFaults(model);
  if (repeated.length > 0) throw OptimiseModelError.of('model-names-repeated', { path, names: repeated });
  for (const { nodes, path: scope } of listScopes(model)) {
    const node = findCycle(nodes);
    if (node === undefined) continue;
    const facts = { path, scope, opType: node.opType ?? '', output: node.output?.[0] ?? '' };
    throw OptimiseModelError.of('model-has-cycle', facts);
  }
}
