import { OptimiseModelError } from '../messages/error.js';
import { commander } from './commander.js';

const variable = 'OPTIMISE_MODEL_UNCONDITIONAL';

/**
 * Makes `--unconditional`, the same for every command that moves `current.json`.
 *
 * @returns The option.
 */
export function unconditionalOption(): InstanceType<typeof commander.Option> {
  return new commander.Option(
    '--unconditional',
    `the server has no conditional writes: write without them and read back (env: ${variable})`,
  );
}

/**
 * Decides whether writes have conditions. The variable may say no as well as yes, so it is no flag that is there or not.
 *
 * @param flag - Whether the flag was given.
 * @param env - Environment variables.
 * @returns What flag or variable say; undefined when neither says anything.
 * @throws `usage-wrong` when the variable is neither yes nor no.
 */
export function readUnconditional(flag: true | undefined, env: NodeJS.ProcessEnv): boolean | undefined {
  const said = env[variable];
  if (flag === true || said === undefined) return flag;
  if (/^(1|true|yes)$/i.test(said)) return true;
  if (/^(0|false|no)$/i.test(said)) return false;
  const problem = `${variable} is "${said}", expected true or false.`;
  throw OptimiseModelError.of('usage-wrong', { problem, command: 'optimise-model publish' });
}
