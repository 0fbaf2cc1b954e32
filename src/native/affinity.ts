import { openLibc } from './libc.js';

/** Room for 8,192 processors, the most that Linux is built for. */
const maskSizeBytes = 1024;

/**
 * Reads on which processors this thread may run.
 *
 * @returns Numbers of the processors, ascending; null where that cannot be known.
 */
export async function readAffinity(): Promise<readonly number[] | null> {
  const libc = await openLibc();
  const mask = new Uint8Array(maskSizeBytes);
  if (libc === null || libc.schedGetaffinity(0, maskSizeBytes, mask) < 0) return null;
  return Array.from({ length: maskSizeBytes * 8 }, (_none, cpu) => cpu).filter(
    (cpu) => ((mask[cpu >> 3] ?? 0) >> (cpu & 7)) & 1,
  );
}

/**
 * Runs something at once with this thread kept to some processors: a process that it starts inherits them, and this
 * thread has its own back before anything else can run.
 *
 * @param cpus - Numbers of the processors, at least one.
 * @returns Takes the work, which must not wait, and gives its result; null where processors cannot be set.
 * @throws What the work throws.
 */
export async function openAffinity(
  cpus: readonly number[],
): Promise<(<Result>(run: () => Result) => Result) | null> {
  const libc = await openLibc();
  const own = await readAffinity();
  if (libc === null || own === null) return null;
  const set = (wanted: readonly number[]) => libc.schedSetaffinity(0, maskSizeBytes, makeMask(wanted)) === 0;
  // Tried once, so that a refusal is known before anything is measured.
  const isAllowed = set(cpus);
  if (!set(own) || !isAllowed) return null;
  return (run) => {
    set(cpus);
    try {
      return run();
    } finally {
      set(own);
    }
  };
}

function makeMask(cpus: readonly number[]): Uint8Array {
  const mask = new Uint8Array(maskSizeBytes);
  for (const cpu of cpus) mask[cpu >> 3] = (mask[cpu >> 3] ?? 0) | (1 << (cpu & 7));
  return mask;
}
