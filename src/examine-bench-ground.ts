import { constants } from 'node:fs';
import { access, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CacheState } from './bench/cache/cache-state.js';
import { prepareCache } from './bench/cache/prepare-cache.js';
import { openProfile, readProfileGround } from './bench/profile/open-profile.js';
import { makeTemporaryFolder } from './lib/temporary-folder.js';
import { engines, usualLayout } from './lib/variant.js';
import { countResidentPages } from './native/page-cache.js';
import type { DoctorReport } from './report/documents/run-result.js';
import { runtimePackFiles } from './runtimes/runtime-pack.js';

type Section = DoctorReport['sections'][number];

/** Memory of the profile that is tried, MiB: a third of a processor, which no machine lacks. */
const triedMemoryMiB = 512;

const evictions: Readonly<Record<CacheState, string>> = {
  dropped: 'verified',
  evicted: 'verified',
  warm: 'refused',
  unknown: 'cannot be verified',
  memory: 'impossible: in memory',
};

/** What is looked at besides a file of our own; a test puts its own in. */
type LibraryGround = {
  /** Files of the runtime that samples evict; none where it is not installed. */
  readonly listLibraries: () => Promise<readonly string[]>;
  readonly countResidentPages: typeof countResidentPages;
};

const libraryGround: LibraryGround = { listLibraries, countResidentPages };

/**
 * Looks how far a benchmark can imitate a cold start and a function of less memory here, by trying both on a small scale.
 *
 * @param folder - Where temporary files go.
 * @param ground - Where the runtime's library lies, and who tells its pages.
 * @returns A section of name, value and note. What was made for it is gone.
 */
export async function examineBenchGround(
  folder: string,
  ground: LibraryGround = libraryGround,
): Promise<Section> {
  const canDrop = await access('/proc/sys/vm/drop_caches', constants.W_OK).then(
    () => true,
    () => false,
  );
  const dropNote = canDrop ? 'a run sees whether the kernel accepts it' : 'needs root; evict works without';
  return {
    title: 'Benchmark',
    rows: [
      await examineEviction(folder, ground),
      { name: 'drop_caches', value: canDrop ? 'may be written' : 'may not be written', note: dropNote },
      await examineProfile(),
    ],
  };
}

/** A benchmark evicts the runtime's library too, of which the kernel may tell nothing though it does of our own files. */
async function examineEviction(folder: string, ground: LibraryGround): Promise<Section['rows'][number]> {
  const name = 'eviction';
  const libraries = await ground.listLibraries();
  const hidden = await findHidden(libraries, ground);
  if (hidden !== null) {
    const note = `the kernel tells the cached pages of ${hidden} to its owner and root only: bench as one of them, or install the packages as this user`;
    return { name, value: 'cannot be verified', note };
  }
  const state = await tryEviction(folder).catch(() => 'unknown' as const);
  const what = libraries.length === 0 ? '' : '; that of the runtime’s library can be seen too';
  return { name, value: evictions[state], note: `of a file in ${folder} from the page cache${what}` };
}

async function findHidden(paths: readonly string[], ground: LibraryGround): Promise<string | null> {
  for (const path of paths) {
    const pages = await ground.countResidentPages(path).catch(() => null);
    if (pages === null) return path;
  }
  return null;
}

async function listLibraries(): Promise<readonly string[]> {
  const subjects = engines.map((engine) => ({ engine, layout: usualLayout(engine) }));
  const packs = await Promise.all(
    subjects.map((subject) => runtimePackFiles(subject, process.platform, process.arch).catch(() => null)),
  );
  return packs.flatMap((pack) => pack?.files.map((file) => file.source) ?? []);
}

async function tryEviction(folder: string): Promise<CacheState> {
  const own = await makeTemporaryFolder(folder, 'optimise-model-doctor-');
  try {
    const path = join(own, 'evicted');
    await writeFile(path, new Uint8Array(1 << 20));
    return (await prepareCache('evict', { cold: [path], warm: [], served: [] }, new AbortController().signal))
      .state;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

async function examineProfile(): Promise<Section['rows'][number]> {
  const opened = await openProfile(triedMemoryMiB, null, readProfileGround([]));
  await opened.close();
  const { cpuLimit, memoryLimit } = opened.profile;
  const isFull = cpuLimit.startsWith('cgroup') && memoryLimit !== 'none';
  const reason = opened.findings.find(({ code }) => code === 'bench-profile-not-enforced')?.facts.reason;
  return {
    name: 'memory profiles',
    value: isFull ? 'hold' : 'hold in part',
    note: `processors: ${cpuLimit}, memory: ${memoryLimit}${isFull ? '' : `; ${reason}`}`,
  };
}
