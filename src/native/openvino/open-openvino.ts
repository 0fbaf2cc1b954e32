import { compareVersions } from '../../lib/compare-versions.js';
import { OptimiseModelError } from '../../messages/error.js';
import { type Koffi, openKoffi } from '../open-koffi.js';
import { bindFunctions, bindVersion, type VersionFunctions } from './c-api.js';
import type { CVersion, Out } from './c-types.js';
import { check, create, type OpenvinoCalls, readText, takeOut } from './checked-call.js';
import { numberOfType } from './element-types.js';
import { withOwner } from './owner.js';

/** OpenVINO in this process, tried out. */
export type OpenvinoLibrary = OpenvinoCalls & {
  /** The file. */
  readonly path: string;
  /** Such as `2026.4.1`. */
  readonly version: string;
  /** The processor, as OpenVINO names it. */
  readonly device: string;
  /** What the processor can do, in OpenVINO's words: `FP32`, `BF16`, `EXPORT_IMPORT`. */
  readonly capabilities: readonly string[];
};

/** Before it, the numbers of element types were others. */
const lowestVersion = '2025.1.0';

const opened = new Map<string, Promise<OpenvinoLibrary>>();

/**
 * Loads OpenVINO and tries it out, once per process: its version, how it numbers element types, and that it has a CPU
 * device. It is never unloaded.
 *
 * @param path - The library of its C API.
 * @returns The library.
 * @throws `runtime-missing` when this machine has nothing to call C with; `runtime-unusable` when the library cannot be
 *   loaded, is too old, or fails what is tried.
 */
export function openOpenvino(path: string): Promise<OpenvinoLibrary> {
  const known = opened.get(path);
  if (known !== undefined) return known;
  const opening = load(path);
  opened.set(path, opening);
  // What was in the way may be gone the next time.
  opening.catch(() => opened.delete(path));
  return opening;
}

async function load(path: string): Promise<OpenvinoLibrary> {
  const koffi = await openKoffi();
  const platform = `${process.platform}/${process.arch}`;
  if (koffi === null) {
    const reason =
      'its library is called through koffi, which is not installed beside this code, or has no binary for this platform';
    throw OptimiseModelError.of('runtime-missing', {
      engine: 'openvino',
      packageName: 'koffi',
      platform,
      reason,
    });
  }
  const version = { seen: null as string | null };
  try {
    return tryOut(koffi, path, version);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const reason = text.replaceAll('\n', ' ');
    const facts = { engine: 'openvino', path, version: version.seen, reason };
    throw OptimiseModelError.of('runtime-unusable', facts, error);
  }
}

function tryOut(koffi: Koffi, path: string, seen: { seen: string | null }): OpenvinoLibrary {
  const library = koffi.load(path);
  const version = readVersion(koffi, bindVersion(koffi, library));
  seen.seen = version;
  if ((compareVersions(version, lowestVersion) ?? -1) < 0)
    throw new Error(`releases before ${lowestVersion} number element types differently`);
  const calls = { koffi, functions: bindFunctions(koffi, library) };
  tryNumbers(calls);
  return { ...calls, path, version, ...describeCpu(calls) };
}

function readVersion(koffi: Koffi, { getVersion, freeVersion }: VersionFunctions): string {
  const version: Partial<CVersion> = {};
  const status = getVersion(version);
  const { buildNumber = null } = version;
  if (status !== 0 || buildNumber === null) throw new Error('it does not tell its version');
  try {
    const build = koffi.decode.string(buildNumber);
    const [, found] = /^(\d+\.\d+(?:\.\d+)?)/.exec(build) ?? [];
    if (found === undefined) throw new Error(`it gives its version as \`${build}\`, which is not understood`);
    return found;
  } finally {
    freeVersion(version as CVersion);
  }
}

/** The version alone is not to be trusted: builds of the months between have it and not the numbers. */
function tryNumbers(calls: OpenvinoCalls): void {
  const { createTensor, freeTensor, getTensorSize } = calls.functions;
  const sizeBytes = withOwner((owner) => {
    const shape = { rank: 1, dims: BigInt64Array.of(1n) };
    const tensor = create(calls, owner, freeTensor, (out) => createTensor(numberOfType('f32'), shape, out));
    const size: Out<number> = [null];
    check(calls, getTensorSize(tensor, size));
    return Number(takeOut(size));
  });
  if (sizeBytes !== Float32Array.BYTES_PER_ELEMENT)
    throw new Error(`its element type ${numberOfType('f32')} has ${sizeBytes} bytes where FP32 has 4`);
}

/** Asked by name: a list of all devices would load the libraries of every kind of device. */
function describeCpu(calls: OpenvinoCalls): Pick<OpenvinoLibrary, 'device' | 'capabilities'> {
  const { createCore, freeCore, getCoreProperty } = calls.functions;
  return withOwner((owner) => {
    const core = create(calls, owner, freeCore, createCore);
    const read = (key: string) => readText(calls, (out) => getCoreProperty(core, 'CPU', key, out));
    const capabilities = read('OPTIMIZATION_CAPABILITIES').split(/\s+/).filter(Boolean);
    return { device: read('FULL_DEVICE_NAME').trim(), capabilities };
  });
}
