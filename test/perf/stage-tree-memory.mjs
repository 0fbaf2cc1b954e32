// The peak memory of a process with all that it starts: `wait4` knows only the largest of them.
import { readdirSync, readFileSync } from 'node:fs';

const pauseMs = 100;

/**
 * Watches what this process starts from now on, where there is a `/proc`.
 *
 * The first process below this one is the launcher of the measurement and is not counted. Each process counts with its own
 * peak, so that looking rarely misses none but those that end sooner than that.
 *
 * @returns {() => number | null} Ends it; the largest sum of peaks seen, bytes, or null when there was nothing to see.
 */
export function watchNewProcesses() {
  const known = new Set(listChildren(process.pid));
  let peakBytes = null;
  const look = () => {
    const launchers = listChildren(process.pid).filter((pid) => !known.has(pid));
    const sum = launchers
      .flatMap((pid) => listDescendants(pid))
      .reduce((bytes, pid) => bytes + readPeakBytes(pid), 0);
    if (sum > 0) peakBytes = Math.max(peakBytes ?? 0, sum);
  };
  const timer = setInterval(look, pauseMs);
  return () => {
    clearInterval(timer);
    return peakBytes;
  };
}

function listDescendants(pid) {
  return listChildren(pid).flatMap((child) => [child, ...listDescendants(child)]);
}

function listChildren(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
    );
  } catch {
    return [];
  }
}

function readPeakBytes(pid) {
  try {
    const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(line?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
