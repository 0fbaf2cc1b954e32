import { readFile } from 'node:fs/promises';

/** A tick of `/proc/stat`, ms: `USER_HZ` is 100 on every machine that Node.js runs on. */
const tickMs = 10;

/** Counts what the host takes from all processors of this machine from now on. */
export type StealClock = {
  /** Milliseconds since the start, in steps of 10; null where that is not known. */
  read(): Promise<number | null>;
};

/**
 * Starts to count the time that the host gave to other machines while this one had work to do: a sample that lost some
 * is not to blame for it.
 *
 * @param readStat - Gives the text of `/proc/stat`.
 * @returns The clock.
 * @see https://man7.org/linux/man-pages/man5/proc_stat.5.html (steal)
 */
export async function startStealClock(readStat: () => Promise<string> = readProcStat): Promise<StealClock> {
  const began = await readTicks(readStat);
  return {
    async read() {
      const now = await readTicks(readStat);
      // The counter of a machine that was moved to another host may begin anew.
      return began === null || now === null || now < began ? null : (now - began) * tickMs;
    },
  };
}

async function readTicks(readStat: () => Promise<string>): Promise<number | null> {
  const text = await readStat().catch(() => '');
  const ticks = /^cpu +(?:\d+ ){7}(\d+)/m.exec(text)?.[1];
  return ticks === undefined ? null : Number(ticks);
}

function readProcStat(): Promise<string> {
  return readFile('/proc/stat', 'utf8');
}
