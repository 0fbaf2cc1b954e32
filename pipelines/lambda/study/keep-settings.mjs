import { callAws } from './call-aws.mjs';

/**
 * @typedef {object} KeptSettings What redeploying changes of one function.
 * @property {string} name - The function.
 * @property {number} memoryMiB
 * @property {Record<string, string>} variables - Of its environment.
 * @property {string} version - What its alias `live` points at.
 */

/**
 * Reads what redeploying is going to change.
 *
 * @param {string} name - The function.
 * @returns {Promise<KeptSettings>} As it stands.
 */
export async function readSettings(name) {
  const target = ['--function-name', name];
  const { MemorySize: memoryMiB, Environment: environment } = await callAws(
    'lambda',
    'get-function-configuration',
    ...target,
  );
  const { FunctionVersion: version } = await callAws('lambda', 'get-alias', ...target, '--name', 'live');
  return { name, memoryMiB, variables: environment.Variables, version };
}

/**
 * Puts memory, environment and alias back for every function, also where one of them cannot be.
 *
 * @param {readonly KeptSettings[]} kept - From {@link readSettings}.
 * @throws {Error} Names the functions that are not as they were.
 */
export async function restoreSettings(kept) {
  const failures = [];
  for (const settings of kept) {
    console.error(`${settings.name}: back to ${settings.memoryMiB} MiB and version ${settings.version}`);
    await restore(settings).catch((error) => failures.push({ settings, error }));
  }
  if (failures.length === 0) return;
  const names = failures.map(
    ({ settings: { name, memoryMiB, version } }) =>
      `${name} (${memoryMiB} MiB, alias live at version ${version})`,
  );
  const message = `These functions are not as they were; deploy the stack again before the hourly calls: ${names.join(', ')}`;
  throw new AggregateError(
    failures.map(({ error }) => error),
    message,
  );
}

/** @param {KeptSettings} settings */
async function restore({ name, memoryMiB, variables, version }) {
  const target = ['--function-name', name];
  // First, since calls follow it: the version that it names has its own memory and environment.
  await callAws('lambda', 'update-alias', ...target, '--name', 'live', '--function-version', version);
  await changeConfiguration(name, memoryMiB, variables);
}

/**
 * Sets memory and environment of the function's newest code, and waits until that is done.
 *
 * @param {string} name - The function.
 * @param {number} memoryMiB
 * @param {Record<string, string>} variables
 */
export async function changeConfiguration(name, memoryMiB, variables) {
  const target = ['--function-name', name];
  // An update that was broken off may still be under way.
  await callAws('lambda', 'wait', 'function-updated-v2', ...target);
  await callAws(
    'lambda',
    'update-function-configuration',
    ...target,
    '--memory-size',
    String(memoryMiB),
    '--environment',
    JSON.stringify({ Variables: variables }),
  );
  await callAws('lambda', 'wait', 'function-updated-v2', ...target);
}
