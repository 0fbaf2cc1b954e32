import { constants } from 'node:fs';
import { access, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CacheState } from './bench/cache/cache-state.js';
import { prepareCache } from './bench/cache/prepare-cache.js';
import { openProfile, readProfileGround } from './bench/profile/open-profile.js';
import { makeTemporaryFolder } from './lib/temporary-folder.js';
import type { DoctorReport } from './report/documents/run-result.js';

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

/**
 * Looks how far a benchmark can imitate a cold start and a function of less memory here, by trying both on a small scale.
 *
 * @param folder - Where temporary files go.
 * @returns A section of name, value and note. What was made for it is gone.
 */
export async function examineBenchGround(folder: string): Promise<Section> {
  const state = await tryEviction(folder).catch(() => 'unknown' as const);
  const canDrop = await access('/proc/sys/vm/drop_caches', constants.W_OK).then(
    () => true,
    () => false,
  );
  const dropNote = canDrop ? 'a run sees whether the kernel accepts it' : 'needs root; evict works without';
  return {
    title: 'Benchmark',
    rows: [
      { name: 'eviction', value: evictions[state], note: `of a file in ${folder} from the page cache` },
      { name: 'drop_caches', value: canDrop ? 'may be written' : 'may not be written', note: dropNote },
      await examineProfile(),
    ],
  };
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
