import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/**
 * Finds the folder for what this tool must remember between runs, whatever is being worked on.
 *
 * @param env - Environment variables: `OPTIMISE_MODEL_STATE` names it, else `XDG_STATE_HOME` or the home folder holds it.
 * @returns Absolute or relative path; the folder need not exist. Without a home it is in the temporary folder.
 * @see https://specifications.freedesktop.org/basedir-spec/latest/
 */
export function findStateFolder(env: NodeJS.ProcessEnv): string {
  if (env.OPTIMISE_MODEL_STATE) return env.OPTIMISE_MODEL_STATE;
  if (env.XDG_STATE_HOME) return join(env.XDG_STATE_HOME, 'optimise-model');
  const home = homedir();
  // Users without a home, such as those of many containers, have `/`, or one that is named but not there.
  if (home !== '' && home !== '/' && home !== '/nonexistent')
    return join(home, '.local', 'state', 'optimise-model');
  return join(tmpdir(), `optimise-model-${userInfo().uid}`);
}
