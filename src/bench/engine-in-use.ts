import type { Engine, Variant } from '../lib/variant.js';
import { findOpenvino } from '../runtimes/openvino/find-openvino.js';
import { runtimePackFiles } from '../runtimes/runtime-pack.js';

/** The OpenVINO that every process of a measurement loads, found once. */
export type UsedOpenvino = {
  /** The library of its C API. */
  readonly libraryPath: string;
  /** Of its name; the path where that tells none. */
  readonly version: string;
};

/** An engine that was measured. */
export type BenchRuntime = { readonly engine: Engine; readonly version: string };

/**
 * Finds OpenVINO, where anything that is to be measured needs it.
 *
 * @param variants - What is to be measured.
 * @returns Where it is; null when nothing needs it.
 * @throws `runtime-missing`, `openvino-path-wrong`.
 */
export async function findUsedOpenvino(
  variants: readonly Pick<Variant, 'engine'>[],
): Promise<UsedOpenvino | null> {
  if (variants.every(({ engine }) => engine !== 'openvino')) return null;
  const { libraryPath, version } = await findOpenvino();
  return { libraryPath, version: version ?? libraryPath };
}

/**
 * Says what the processes of a measurement find in their environment, so that none of them looks for OpenVINO itself.
 *
 * @param openvino - The one in use; null for none.
 * @returns Variables that are set first of all.
 */
export function nameEnvironment(openvino: UsedOpenvino | null): Readonly<Record<string, string>> {
  return openvino === null ? {} : { OPENVINO_LIB_PATH: openvino.libraryPath };
}

/**
 * Says what a measurement is repeated for: figures of another OpenVINO are others, and no business of those without it.
 *
 * @param openvino - The one in use; null for none.
 * @returns That part of a step's key.
 */
export function keyOfOpenvino(openvino: UsedOpenvino | null): { readonly openvino?: string } {
  return openvino === null ? {} : { openvino: openvino.version };
}

/** What calls OpenVINO is what this process asks the page cache by: mapped here, it would stay in it. */
const isMappedHere = /^(koffi|@koromix)\//;

/** The files of an engine on this machine that opening a variant reads, and its version. */
export type EngineFiles = BenchRuntime & { readonly libraries: readonly string[] };

/**
 * Lists what is read of an engine when a variant is opened.
 *
 * @param variant - Engine and layout: OpenVINO reads each format by a library of its own.
 * @returns Paths and version.
 * @throws `runtime-missing`.
 */
export async function listEngineFiles(variant: Pick<Variant, 'engine' | 'layout'>): Promise<EngineFiles> {
  const { version, files } = await runtimePackFiles(variant, process.platform, process.arch);
  const cold = files.filter(({ path }) => !isMappedHere.test(path));
  return { engine: variant.engine, version, libraries: cold.map((file) => file.source) };
}
