import type { ValueSpec } from '../../lib/tensor.js';
import type { Handle } from '../../native/openvino/c-types.js';
import { findPort, listPorts, type ModelPort, type PortSide } from '../../native/openvino/model-ports.js';
import type { OpenvinoLibrary } from '../../native/openvino/open-openvino.js';
import type { Owner } from '../../native/openvino/owner.js';
import type { ModelNames } from '../runtime.js';
import { isSharedType, type SharedType, toElementType } from './openvino-types.js';

/** An input or output by the name that it is fed or asked for by. */
export type NamedPort = {
  /** What it is to OpenVINO; null for an input that the model does not use. */
  readonly port: { readonly handle: Handle; readonly type: SharedType } | null;
  readonly spec: ValueSpec;
};

/**
 * Names the inputs or outputs of a compiled model. A tensor of OpenVINO's can have several names, of which it tells one;
 * so who knows what the exported model called them looks them up.
 *
 * @param library - OpenVINO.
 * @param compiled - The model.
 * @param side - Which of them.
 * @param names - What the exported model calls its inputs and outputs; null where that is not known.
 * @param owner - Frees them.
 * @returns Them, in the order of the names, else of the model.
 * @throws An error when there is no output of a name, when an input would be left without one, or when one is of a
 *   type that tensors of ours cannot have.
 */
export function namePorts(
  library: OpenvinoLibrary,
  compiled: Handle,
  side: PortSide,
  names: ModelNames | null,
  owner: Owner,
): readonly NamedPort[] {
  const ports = listPorts(library, compiled, side, owner);
  if (names === null) return nameAsTold(ports, side).map(([name, port]) => describe(name, port, side));
  const wanted = side === 'input' ? names.inputs : names.outputs;
  const found = wanted.map((name) => ({ name, port: look(library, compiled, side, name, owner) }));
  const told = new Set(found.map(({ port }) => ports.findIndex((each) => isSamePort(each, port))));
  const left = ports.filter((_port, index) => !told.has(index));
  const missing = found.filter(({ port }) => port === null).map(({ name }) => name);
  const renamed = side === 'input' ? pairRenamed(missing, left, names.outputs) : new Map<string, ModelPort>();
  const unnamed = left.length - renamed.size;
  const [absent] = missing.filter((name) => !renamed.has(name));
  // An input that nothing uses may not be kept, and is fed all the same by who knows the exported model.
  if (absent !== undefined && (side === 'output' || unnamed > 0))
    throw new Error(`it has no ${side} \`${absent}\`; it has ${listNames(ports)}`);
  if (side === 'input' && unnamed > 0) throw new Error(`of its inputs ${listNames(ports)} not all are named`);
  return found.map(({ name, port }) => {
    const known = port ?? renamed.get(name);
    return known === undefined ? describeUnused(name) : describe(name, known, side);
  });
}

/** One that has a name tells the same one however it was found. */
function isSamePort(left: ModelPort, right: ModelPort | null): boolean {
  return right !== null && left.anyName !== null && left.anyName === right.anyName;
}

/** An input that is right away an output, once the nodes between are gone, may have the output's name alone. */
function pairRenamed(
  missing: readonly string[],
  left: readonly ModelPort[],
  outputs: readonly string[],
): ReadonlyMap<string, ModelPort> {
  const renamed = left.filter(({ anyName }) => anyName !== null && outputs.includes(anyName));
  if (renamed.length !== missing.length) return new Map();
  // Their order is all there is to go by. Of what the wrong one cannot be fed, at least none gets another's feed unseen.
  const isTold = renamed.every((port, index) => renamed.slice(index + 1).every((next) => differ(port, next)));
  if (!isTold) {
    const [seen, wanted] = [listNames(renamed), missing.map((name) => `\`${name}\``).join(', ')];
    throw new Error(`of its inputs ${seen} it cannot be told which of ${wanted} each is: they are alike`);
  }
  return new Map(
    missing.flatMap((name, index) => {
      const port = renamed[index];
      return port === undefined ? [] : [[name, port]];
    }),
  );
}

/** Whether nothing fits both of them. */
function differ(left: ModelPort, right: ModelPort): boolean {
  if (left.type !== right.type) return true;
  if (left.dims === null || right.dims === null) return false;
  if (left.dims.length !== right.dims.length) return true;
  return left.dims.some((size, axis) => {
    const other = right.dims?.[axis] ?? null;
    return size !== null && other !== null && size !== other;
  });
}

function look(
  library: OpenvinoLibrary,
  compiled: Handle,
  side: PortSide,
  name: string,
  owner: Owner,
): ModelPort | null {
  try {
    return findPort(library, compiled, side, name, owner);
  } catch {
    return null;
  }
}

/** Two outputs of one source may tell the same name; whoever is not told apart by it goes by number. */
function nameAsTold(ports: readonly ModelPort[], side: PortSide): readonly (readonly [string, ModelPort])[] {
  const taken = new Set<string>();
  return ports.map((port, index) => {
    const { anyName } = port;
    const name = anyName === null || taken.has(anyName) ? `${side}:${index}` : anyName;
    taken.add(name);
    return [name, port] as const;
  });
}

function describe(name: string, { handle, type, dims }: ModelPort, side: PortSide): NamedPort {
  if (!isSharedType(type))
    throw new Error(`its ${side} \`${name}\` is of type ${type}, which cannot be passed`);
  // An empty shape rules nothing out, which is what is known where not even the number of axes is.
  const axes = (dims ?? []).map((size) => size ?? '?');
  return { port: { handle, type }, spec: { name, isTensor: true, type: toElementType(type), dims: axes } };
}

/** Whatever it is fed is as good as anything. */
function describeUnused(name: string): NamedPort {
  return { port: null, spec: { name, isTensor: true, dims: [] } };
}

function listNames(ports: readonly ModelPort[]): string {
  return ports.map(({ anyName }) => (anyName === null ? 'one without a name' : `\`${anyName}\``)).join(', ');
}
