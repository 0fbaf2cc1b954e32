import type { Engine, Layout } from '../lib/variant.js';
import { OptimiseModelError } from '../messages/error.js';
import { groupLayouts, runtimePackFiles } from '../runtimes/runtime-pack.js';
import { lambdaTarget } from './lambda-limits.js';
import { listLoaderFiles } from './loader-files.js';
import { type MeasuredFile, sumFileBytes } from './measured-file.js';

/** What is shipped beside an artifact so that it opens: the pruned runtime for the target platform, and the loader. */
export type ShippedRuntime = {
  readonly engine: Engine;
  /** The layouts that need these files. */
  readonly layouts: readonly Layout[];
  /** Null where the engine for the target platform is not installed here, so that nothing of it could be measured. */
  readonly pack: { readonly version: string; readonly files: readonly MeasuredFile[] } | null;
  /** Why there is no pack; empty where there is one. */
  readonly missing: string;
  /** What installs it; null where there is one, or where nothing on this machine would. */
  readonly remedy: string | null;
  /** What a handler needs besides the runtime to open an artifact. */
  readonly loaderFiles: readonly MeasuredFile[];
};

/** The machine that is shipped for. */
export const shippedFor = `${lambdaTarget.platform}/${lambdaTarget.arch}`;

/** A runtime pack as results list it. */
export type RuntimePackResult = {
  readonly engine: Engine;
  readonly layouts: readonly Layout[];
  readonly version: string;
  readonly files: readonly { readonly path: string; readonly sizeBytes: number }[];
  readonly sizeBytes: number;
};

/**
 * Measures what has to be shipped with artifacts, once for all that need the same.
 *
 * @param subjects - Engine and layout of each artifact.
 * @returns One entry per engine and group of layouts that is asked for, in the order of engines and layouts.
 * @throws `openvino-path-wrong`; a missing engine is no error: what needs no other can be judged.
 */
export async function measureShippedRuntimes(
  subjects: readonly { readonly engine: Engine; readonly layout: Layout }[],
): Promise<readonly ShippedRuntime[]> {
  const asked = [...new Set(subjects.map(({ engine }) => engine))].sort();
  const groups = asked.flatMap((engine) => groupLayouts(engine).map((layouts) => ({ engine, layouts })));
  const needed = groups.filter(({ engine, layouts }) =>
    subjects.some((subject) => subject.engine === engine && layouts.includes(subject.layout)),
  );
  return Promise.all(needed.map(({ engine, layouts }) => measureShipped(engine, layouts)));
}

/**
 * Finds what is shipped with an artifact.
 *
 * @param shipped - What was measured.
 * @param subject - The artifact's engine and layout.
 * @returns Its entry.
 */
export function findShipped(
  shipped: readonly ShippedRuntime[],
  { engine, layout }: { readonly engine: Engine; readonly layout: Layout },
): ShippedRuntime {
  const found = shipped.find((each) => each.engine === engine && each.layouts.includes(layout));
  if (found === undefined) throw new Error(`no runtime pack was measured for ${engine} ${layout}`);
  return found;
}

/**
 * Lists the packs for a result.
 *
 * @param shipped - What was measured.
 * @returns Those that were found, file by file.
 */
export function listPacks(shipped: readonly ShippedRuntime[]): readonly RuntimePackResult[] {
  return shipped.flatMap(({ engine, layouts, pack }) => {
    if (pack === null) return [];
    const files = pack.files.map(({ path, sizeBytes }) => ({ path, sizeBytes }));
    return [{ engine, layouts, version: pack.version, files, sizeBytes: sumFileBytes(files) }];
  });
}

/** What says that an engine cannot be measured here, and nothing about what was asked for. */
const reasons: readonly string[] = ['runtime-missing', 'runtime-unusable'];

async function measureShipped(engine: Engine, layouts: readonly Layout[]): Promise<ShippedRuntime> {
  const { platform, arch } = lambdaTarget;
  const [layout = 'single'] = layouts;
  const loaderFiles = await listLoaderFiles(engine);
  try {
    const pack = await runtimePackFiles({ engine, layout }, platform, arch);
    const files = pack.files.map(({ path, source, sizeBytes }) => ({ path, sizeBytes, sourcePath: source }));
    return {
      engine,
      layouts,
      pack: { version: pack.version, files },
      missing: '',
      remedy: null,
      loaderFiles,
    };
  } catch (error) {
    if (!(error instanceof OptimiseModelError) || !reasons.includes(error.code)) throw error;
    const isHere = process.platform === platform && process.arch === arch;
    const remedy = isHere ? error.remedy : null;
    return { engine, layouts, pack: null, missing: error.message, remedy, loaderFiles };
  }
}
