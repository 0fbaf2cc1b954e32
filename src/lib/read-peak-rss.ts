import { readFile } from 'node:fs/promises';

/**
 * Reads the most memory that this program has had in use; `maxRSS` alone would do but for what it inherits from the
 * process that forked it.
 *
 * @returns Peak resident set, bytes.
 * @see https://man7.org/linux/man-pages/man5/proc_pid_status.5.html (VmHWM)
 */
export async function readPeakRss(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const peakKib = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return (peakKib === undefined ? process.resourceUsage().maxRSS : Number(peakKib)) * 1024;
}
