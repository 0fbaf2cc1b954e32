import { homedir } from 'node:os';

/**
 * Finds the home folder of the process's user. Node throws for a user who has neither `HOME` nor an entry in the list
 * of users, as containers make them that are told to run as some number.
 *
 * @returns Its path, which need not exist; empty when there is none.
 */
export function findHomeFolder(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}
