// Mutations of the content: what they make can be read, and says something else.
import { encodeVarint, listWire, parseWire, writeWire } from './wire-tree.mjs';

/** Numbers at the edges of types, of enums and of what a shape may be. */
const edges = [
  0n,
  1n,
  2n,
  3n,
  7n,
  9n,
  10n,
  11n,
  16n,
  20n,
  22n,
  127n,
  255n,
  65_536n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n,
  2n ** 53n,
  2n ** 62n,
  2n ** 63n - 1n,
  -1n,
  -2n,
  -(2n ** 63n),
];
const words = [
  '',
  'x',
  'y',
  '__proto__',
  'constructor',
  'value',
  'to',
  'If',
  'Loop',
  'Cast',
  'Constant',
  'MatMul',
  'Range',
  'ai.onnx',
  'com.microsoft',
  '../x',
  '/dev/zero',
  '\u0000',
  'x'.repeat(5000),
];

/** Flips bits inside of names, texts, numbers and payloads, never in a tag or a length. */
export function flipContent(bytes, random) {
  return changeTree(bytes, (all) => {
    const leaves = all.filter(({ node }) => node.bytes?.length > 0);
    for (let count = random.integer(1, 3); count > 0 && leaves.length > 0; count -= 1) {
      const { node } = pick(leaves, random);
      node.bytes = Buffer.from(node.bytes);
      node.bytes[random.integer(0, node.bytes.length - 1)] ^= 1 << random.integer(0, 7);
    }
  });
}

/** Gives enums, dims, types and other numbers another value; in a packed list as well. */
export function changeNumbers(bytes, random) {
  return changeTree(bytes, (all) => {
    const numbers = all.filter(({ node }) => node.wire === 0);
    for (let count = random.integer(1, 3); count > 0 && numbers.length > 0; count -= 1) {
      const { node } = pick(numbers, random);
      node.value = random.integer(0, 2) === 0 ? BigInt(random.integer(0, 40)) : pick(edges, random);
    }
    const packed = all.filter(({ node }) => node.bytes !== undefined && node.field <= 8);
    if (random.integer(0, 3) === 0 && packed.length > 0)
      pick(packed, random).node.bytes = encodeVarint(pick(edges, random));
  });
}

/** Gives names and texts those of others, or ones that mean trouble. */
export function changeTexts(bytes, random) {
  return changeTree(bytes, (all) => {
    const texts = all.filter(
      ({ node }) => node.bytes !== undefined && node.wire === 2 && node.bytes.length < 100,
    );
    for (let count = random.integer(1, 3); count > 0 && texts.length > 0; count -= 1) {
      const { node } = pick(texts, random);
      node.bytes =
        random.integer(0, 1) === 0 ? pick(texts, random).node.bytes : Buffer.from(pick(words, random));
    }
  });
}

/** Takes a record away, repeats it, moves it, or puts one of another model in its place. */
export function changeRecords(bytes, random, other) {
  return changeTree(bytes, (all) => {
    for (let count = random.integer(1, 2); count > 0; count -= 1) {
      const { node, list } = pick(all, random);
      const at = list.indexOf(node);
      if (at < 0) continue;
      const action = random.integer(0, 4);
      if (action === 0) list.splice(at, 1);
      else if (action === 1) list.splice(random.integer(0, list.length), 0, node);
      else if (action === 2) list.push(...list.splice(at, 1));
      else if (action === 3) list.splice(at, 1, pickLike(node, random, other) ?? node);
      else list.splice(at, 0, { field: random.integer(1, 60), wire: 0, value: pick(edges, random) });
    }
  });
}

/** Puts a graph into an attribute, so that bodies nest, up to far deeper than anybody exports them. */
export function nestGraphs(bytes, random) {
  return changeTree(bytes, (all) => {
    const graph = all.find(({ node }) => node.kind === 'Graph')?.node;
    const target = all.filter(({ node }) => node.kind === 'Node');
    if (graph === undefined || target.length === 0) return;
    let inner = { field: 6, wire: 2, kind: 'Graph', children: parseWire(writeWire(graph.children), 'Graph') };
    for (let depth = pick([1, 1, 2, 3, 30, 400], random); depth > 1; depth -= 1) {
      const name = { field: 1, wire: 2, bytes: Buffer.from('body') };
      const attribute = { field: 5, wire: 2, kind: 'Attribute', children: [name, inner] };
      const host = { field: 1, wire: 2, kind: 'Node', children: [attribute] };
      inner = { field: 6, wire: 2, kind: 'Graph', children: [host] };
    }
    const attribute = {
      field: 5,
      wire: 2,
      kind: 'Attribute',
      children: [{ field: 1, wire: 2, bytes: Buffer.from('body') }, inner],
    };
    pick(target, random).node.children.push(attribute);
  });
}

/** Makes a tensor claim that its bytes are in a file. */
export function moveOutside(bytes, random) {
  return changeTree(bytes, (all) => {
    const tensors = all.filter(({ node }) => node.kind === 'Tensor');
    if (tensors.length === 0) return;
    const { node } = pick(tensors, random);
    const facts = {
      location: pick(['weights.bin', ...words], random),
      offset: String(pick(edges, random)),
      length: String(pick(edges, random)),
    };
    for (const [key, value] of Object.entries(facts)) {
      const children = [
        { field: 1, wire: 2, bytes: Buffer.from(key) },
        { field: 2, wire: 2, bytes: Buffer.from(value) },
      ];
      if (random.integer(0, 4) > 0) node.children.push({ field: 13, wire: 2, kind: 'Entry', children });
    }
    node.children = node.children.filter(({ field }) => field !== 9 || random.integer(0, 2) === 0);
    node.children.push({ field: 14, wire: 0, value: 1n });
  });
}

/** Gives a length another value and leaves what it counts as it is. */
export function changeLength(bytes, random) {
  const tree = parseWire(bytes);
  const all = listWire(tree).filter(({ node }) => node.wire === 2);
  const { node } = pick(all, random);
  const content = node.children === undefined ? node.bytes : writeWire(node.children);
  const near = BigInt(content.length + random.integer(-3, 3));
  const length = random.integer(0, 1) === 0 && near >= 0n ? near : pick(edges, random);
  // A field of wire type 1 or 5 writes its bytes as they are: tag, wrong length, content, all as one stretch.
  const stretch = Buffer.concat([encodeVarint(length), content]);
  Object.assign(node, { bytes: stretch, children: undefined, kind: undefined, isRaw: true });
  return writeRaw(tree);
}

function writeRaw(nodes) {
  return Buffer.concat(
    nodes.map((node) => {
      if (node.isRaw) return Buffer.concat([encodeVarint(BigInt(node.field * 8 + 2)), node.bytes]);
      if (node.children === undefined) return writeWire([node]);
      const content = writeRaw(node.children);
      return Buffer.concat([
        encodeVarint(BigInt(node.field * 8 + 2)),
        encodeVarint(BigInt(content.length)),
        content,
      ]);
    }),
  );
}

function changeTree(bytes, change) {
  const tree = parseWire(bytes);
  change(listWire(tree));
  return writeWire(tree);
}

function pickLike({ kind, field }, random, other) {
  const alike = listWire(parseWire(other)).filter(({ node }) => node.kind === kind && node.field === field);
  return alike.length === 0 ? undefined : pick(alike, random).node;
}

function pick(list, { integer }) {
  return list[integer(0, list.length - 1)];
}
