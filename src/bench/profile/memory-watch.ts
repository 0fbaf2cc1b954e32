import { join } from 'node:path';
import type { ChildEnd } from '../../lib/converse-with-child.js';
import { describe } from '../../messages/catalogue.js';
import type { SampleError } from '../bench-result.js';
import type { GroupFiles } from './group-files.js';
import type { ControlGroup } from './open-groups.js';

/** What a control group has seen of its memory. */
export type MemoryReading = {
  /** Processes that the kernel ended because the limit was reached, since the group was made. */
  readonly oomKills: number;
  /** The most that was in use, page cache included; null where that is not told. */
  readonly peakBytes: number | null;
};

/**
 * Reads what a control group has seen.
 *
 * @param group - Of either version, with a memory limit.
 * @param files - How groups are spoken to.
 * @returns Counts; null where they cannot be read.
 * @see https://docs.kernel.org/admin-guide/cgroup-v2.html (memory.events, memory.peak)
 */
export async function readMemory(
  { version, path }: ControlGroup,
  files: GroupFiles,
): Promise<MemoryReading | null> {
  const [events, peak] =
    version === 'v1' ? ['memory.oom_control', 'memory.max_usage_in_bytes'] : ['memory.events', 'memory.peak'];
  const text = await files.read(join(path, events)).catch(() => '');
  const oomKills = /^oom_kill (\d+)$/m.exec(text)?.[1];
  if (oomKills === undefined) return null;
  const peakText = await files.read(join(path, peak)).catch(() => '');
  const peakBytes = /^\d+$/.test(peakText.trim()) ? Number(peakText) : null;
  return { oomKills: Number(oomKills), peakBytes };
}

/**
 * Explains the end of a sample's process by what its control group has seen.
 *
 * @param end - How it ended.
 * @param memoryMiB - The limit, MiB; null without one.
 * @param before - Read before it started.
 * @param after - Read after it ended.
 * @returns `bench-sample-out-of-memory`; null when that was not why it ended, or nobody can tell.
 */
export function explainOutOfMemory(
  end: Pick<ChildEnd<unknown>, 'signal' | 'isLate'>,
  memoryMiB: number | null,
  before: MemoryReading | null,
  after: MemoryReading | null,
): SampleError | null {
  if (memoryMiB === null || before === null || after === null) return null;
  if (end.signal !== 'SIGKILL' || end.isLate || after.oomKills <= before.oomKills) return null;
  const { what } = describe('bench-sample-out-of-memory', { memoryMiB, peakBytes: after.peakBytes });
  return { code: 'bench-sample-out-of-memory', what };
}
