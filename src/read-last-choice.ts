import { OptimiseModelError } from './messages/error.js';
import type { PickResult } from './pick/pick-result.js';
import { readRunRecord } from './pipeline/run-record.js';
import { restoreOutcome } from './restore-outcome.js';

/**
 * Reads what the last run in a folder chose.
 *
 * @param folder - Its run folder.
 * @returns The winner; null where no run is recorded that this version reads, or none picked one.
 */
export async function readLastChoice(folder: string): Promise<PickResult['winner']> {
  try {
    return restoreOutcome(await readRunRecord(folder)).pick?.winner ?? null;
  } catch (error) {
    // The run itself sets such a record aside, and says so.
    if (error instanceof OptimiseModelError && error.code === 'run-record-unreadable') return null;
    throw error;
  }
}
