// Preloaded into a process of Node (`--import`): writes the peak of its resident memory, bytes, where it is told, when it exits.
import { readFileSync, writeFileSync } from 'node:fs';

const path = process.env.OPTIMISE_MODEL_PEAK_FILE;
if (path !== undefined) {
  process.on('exit', () => {
    writeFileSync(path, String(readPeakBytes()));
  });
}

/** Linux counts what was resident before `exec` into the usage of a process; its own status does not. */
function readPeakBytes() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
  return Number(peak?.[1]) * 1024;
}
