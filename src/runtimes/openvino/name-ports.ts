import type { ValueSpec } from '../../lib/tensor.js';
import type { Handle } from '../../native/openvino/c-types.js';
import { findPort, listPorts, type ModelPort, type PortSide } from '../../native/openvino/model-ports.js';
import type { OpenvinoLibrary } from '../../native/openvino/open-openvino.js';
import type { Owner } from '../../native/openvino/owner.js';
import { isSharedType, type SharedType, toElementType } from './openvino-types.js';

/** An input or output by the name that it is fed or asked for by. */
export type NamedPort = {
  readonly handle: Handle;
  readonly type: SharedType;
  readonly spec: ValueSpec;
};

/**
 * Names the inputs or outputs of a compiled model. A tensor of OpenVINO's can have several names, of which it tells one;
 * so who knows what the exported model called them looks them up.
 *
 * @param library - OpenVINO.
 * @param compiled - The model.
 * @param side - Which of them.
 * @param names - What the exported model calls them; null where that is not known.
 * @param owner - Frees them.
 * @returns Them, in the order of the names, else of the model.
 * @throws An error when there is none of a name, when an input would be left without, or when one is of a type that
 *   tensors of ours cannot have.
 */
export function namePorts(
  library: OpenvinoLibrary,
  compiled: Handle,
  side: PortSide,
  names: readonly string[] | null,
  owner: Owner,
): readonly NamedPort[] {
  const ports = listPorts(library, compiled, side, owner);
  if (names === null) return nameAsTold(ports, side).map(([name, port]) => describe(name, port, side));
  if (side === 'input' && names.length !== ports.length)
    throw new Error(`it has ${ports.length} inputs (${listNames(ports)}) where ${names.length} are named`);
  return names.map((name) => {
    const port = look(library, compiled, side, name, owner);
    if (port === null) throw new Error(`it has no ${side} \`${name}\`; it has ${listNames(ports)}`);
    return describe(name, port, side);
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
  return { handle, type, spec: { name, isTensor: true, type: toElementType(type), dims: axes } };
}

function listNames(ports: readonly ModelPort[]): string {
  return ports.map(({ anyName }) => (anyName === null ? 'one without a name' : `\`${anyName}\``)).join(', ');
}
