import { findAttribute } from '../../onnx/build-node.js';
import { bodiesOf, normaliseDomain } from '../../onnx/graph-walk.js';
import type { NodeProto } from '../../onnx/proto.js';

/**
 * Tells whether a node is an If, Loop or Scan whose bodies take what it hands them and give what it gives, so that values
 * can be followed into them by their positions.
 *
 * @param node - The node.
 * @param opset - The version of the default domain that it is of.
 * @returns False for other nodes, and for one that is not made as ONNX says.
 * @see https://github.com/onnx/onnx/blob/v1.21.0/docs/Operators.md
 */
export function isControlFlow(node: NodeProto, opset: number): boolean {
  if (normaliseDomain(node.domain) !== '') return false;
  const bodies = bodiesOf(node).map(({ graph }) => graph);
  const given = (node.output ?? []).length;
  const handed = (node.input ?? []).length;
  const fits = (inputs: number, outputs: number): boolean =>
    bodies.every(({ input, output }) => {
      return (input ?? []).length === inputs && (output ?? []).length >= outputs;
    });
  switch (node.opType) {
    case 'If':
      return bodies.length === 2 && fits(0, given);
    case 'Loop':
      return bodies.length === 1 && fits(handed, given + 1);
    case 'Scan': {
      const scanned = Number(findAttribute(node, 'num_scan_inputs')?.i ?? 0);
      // The first Scan has the lengths of its sequences before what it hands on.
      const ahead = opset < 9 ? 1 : 0;
      return bodies.length === 1 && scanned > 0 && scanned <= handed && fits(handed - ahead, given);
    }
    default:
      return false;
  }
}
