// Measures several subjects in turns, so that a slow minute hits each of them.
import { summarise } from './sample-statistics.mjs';
import { watchNewProcesses } from './stage-tree-memory.mjs';

/**
 * One thing to measure: `prepare` makes what a run needs and says its command; `check` says what is wrong with what the run
 * left, if anything; `clear` removes it. None of them is timed.
 * @typedef {{ id: string, label: string, prepare: () => Promise<string[]>, check: () => Promise<string | undefined>, clear: () => Promise<void> }} TransferSubject
 */

/**
 * Measures them as whole processes.
 * @param {readonly TransferSubject[]} subjects - What is measured.
 * @param {object} setting - `runs`, `meter`, `log`; `title` for the log.
 * @returns {Promise<object[]>} One row for each, with its samples.
 */
export async function measureInTurns(subjects, { runs, meter, log, title }) {
  const samples = new Map(subjects.map(({ id }) => [id, []]));
  // The first round fills the caches of files and of compiled code, and is not counted.
  for (let round = 0; round <= runs; round += 1) {
    for (const turn of subjects.keys()) {
      const subject = subjects[(turn + round) % subjects.length];
      const sample = await measureOne(subject, meter);
      const what = round === 0 ? 'warming up' : `run ${round} of ${runs}`;
      log(`${title}, ${what}: ${subject.id} ${(sample.wallMs / 1000).toFixed(2)} s`);
      if (round > 0) samples.get(subject.id).push(sample);
    }
  }
  return subjects.map(({ id, label, ignores }) => {
    const own = samples.get(id);
    return { id, label, ignores: ignores ?? null, ...summarise(own), samples: own };
  });
}

/** A run that fails or leaves the wrong thing has no time: it ends the benchmark. */
async function measureOne(subject, meter) {
  try {
    const command = await subject.prepare();
    const endWatch = watchNewProcesses();
    const { stdout: _unused, stderr, exitCode, peakBytes, ...sample } = await meter.measure({ command });
    const treeBytes = endWatch();
    if (exitCode !== 0) throw new Error(`${command.join(' ')} ended with ${exitCode}:\n${stderr}`);
    const problem = await subject.check();
    if (problem !== undefined) throw new Error(`${command.join(' ')}: ${problem}`);
    return {
      ...sample,
      peakBytes: peakBytes === null ? treeBytes : Math.max(peakBytes, treeBytes ?? 0),
    };
  } finally {
    await subject.clear();
  }
}
