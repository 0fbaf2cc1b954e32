// Protobuf as a tree that can be changed and written again with lengths that fit: what a mutation needs to stay readable.

/** Fields that hold messages, by message and number; all other length-delimited fields are leaves. */
const messageFields = {
  Model: { 7: 'Graph', 8: 'Opset', 14: 'Entry', 20: 'Training', 25: 'Function' },
  Training: { 1: 'Graph', 2: 'Graph', 3: 'Entry', 4: 'Entry' },
  Graph: { 1: 'Node', 5: 'Tensor', 11: 'Value', 12: 'Value', 13: 'Value', 14: 'Annotation', 15: 'Sparse' },
  Node: { 5: 'Attribute' },
  Attribute: {
    5: 'Tensor',
    6: 'Graph',
    10: 'Tensor',
    11: 'Graph',
    14: 'Type',
    15: 'Type',
    22: 'Sparse',
    23: 'Sparse',
  },
  Tensor: { 3: 'Segment', 13: 'Entry' },
  Sparse: { 1: 'Tensor', 2: 'Tensor' },
  Value: { 2: 'Type' },
  Type: { 1: 'TensorType', 4: 'Sequence', 5: 'Map', 8: 'TensorType', 9: 'Sequence' },
  TensorType: { 2: 'Shape' },
  Shape: { 1: 'Dimension' },
  Sequence: { 1: 'Type' },
  Map: { 2: 'Type' },
  Function: { 7: 'Node', 9: 'Opset' },
  Annotation: { 2: 'Entry' },
};

/**
 * One field: `wire` 0 has a BigInt `value`, 1 and 5 have `bytes`, 2 has `bytes` or, as a message, `kind` and `children`.
 * @typedef {{ field: number, wire: number, value?: bigint, bytes?: Buffer, kind?: string, children?: WireNode[] }} WireNode
 */

/**
 * Parses a message.
 * @param {Buffer} bytes - A well-formed message.
 * @param {string} kind - Which, as in the table above; `Model` for a file.
 * @returns {WireNode[]} Its fields.
 * @throws {RangeError} For bytes that are no message.
 */
export function parseWire(bytes, kind = 'Model') {
  const nodes = [];
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined || shift > 63n) throw new RangeError('no varint');
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const take = (count) => {
    if (at + count > bytes.length) throw new RangeError('cut off');
    at += count;
    return bytes.subarray(at - count, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const [field, wire] = [Math.floor(tag / 8), tag % 8];
    if (wire === 0) nodes.push({ field, wire, value: varint() });
    else if (wire === 1 || wire === 5) nodes.push({ field, wire, bytes: take(wire === 1 ? 8 : 4) });
    else if (wire === 2)
      nodes.push(lengthDelimited(field, take(Number(varint())), messageFields[kind]?.[field]));
    else throw new RangeError(`wire type ${wire}`);
  }
  return nodes;
}

function lengthDelimited(field, bytes, kind) {
  if (kind === undefined) return { field, wire: 2, bytes };
  return { field, wire: 2, kind, children: parseWire(bytes, kind) };
}

/**
 * Writes fields.
 * @param {readonly WireNode[]} nodes - The fields of a message.
 * @returns {Buffer} The message.
 */
export function writeWire(nodes) {
  return Buffer.concat(nodes.flatMap(writeNode));
}

function writeNode({ field, wire, value, bytes, children }) {
  const tag = encodeVarint(BigInt(field * 8 + wire));
  if (wire === 0) return [tag, encodeVarint(value)];
  if (wire !== 2) return [tag, bytes];
  const content = children === undefined ? bytes : writeWire(children);
  return [tag, encodeVarint(BigInt(content.length)), content];
}

/**
 * Encodes a number as protobuf does.
 * @param {bigint} value - Its low 64 bits count.
 * @returns {Buffer} 1 to 10 bytes.
 */
export function encodeVarint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}

/**
 * Lists a tree's fields with the list that each is in.
 * @param {WireNode[]} nodes - The fields of a message.
 * @returns {{ node: WireNode, list: WireNode[] }[]} Outer before inner.
 */
export function listWire(nodes) {
  return nodes.flatMap((node) => [
    { node, list: nodes },
    ...(node.children === undefined ? [] : listWire(node.children)),
  ]);
}
