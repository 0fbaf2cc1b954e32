import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { OptimiseModelError } from '../messages/error.js';
import { isMissing } from './file-system-error.js';

/**
 * Says why no record could be read: someone who typed a wrong name is not helped by making an artifact again.
 *
 * @param recordPath - Path that the record would have, in the folder that was given.
 * @param cause - What reading it threw.
 * @returns `artifact-wrong`, telling a folder without a record from a file and from nothing.
 */
export async function explainMissingRecord(recordPath: string, cause: unknown): Promise<OptimiseModelError> {
  const folder = dirname(recordPath);
  const seen = await lookAt(folder);
  const problem = {
    nothing: 'it does not exist',
    'a file': 'it is a file',
    'a folder': `it has no readable ${basename(recordPath)}`,
  }[seen];
  return OptimiseModelError.of('artifact-wrong', { folder, problems: [problem], seen }, cause);
}

async function lookAt(path: string): Promise<'nothing' | 'a file' | 'a folder'> {
  try {
    return (await stat(path)).isDirectory() ? 'a folder' : 'a file';
  } catch (error) {
    return isMissing(error) ? 'nothing' : 'a folder';
  }
}
