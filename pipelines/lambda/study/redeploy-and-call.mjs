import { callAws } from './call-aws.mjs';
import { changeConfiguration, readSettings, restoreSettings } from './keep-settings.mjs';

const deployments = 3;
const callsPerDeployment = 2;
/** MiB of one vCPU. */
const memoryOfOneProcessor = 1769;

/**
 * Forces cold starts by new versions: per function and memory 3 deployments × 2 calls. Afterwards every function has the
 * memory, environment and alias that it had before, also when a call fails or `signal` stops it.
 *
 * @param {readonly string[]} functions - Their names.
 * @param {readonly number[]} memories - MiB.
 * @param {AbortSignal} signal - Stops before the next call or deployment.
 */
export async function redeployAndCall(functions, memories, signal) {
  const kept = [];
  for (const name of functions) kept.push(await readSettings(name));
  try {
    for (const memoryMiB of memories) {
      for (let round = 1; round <= deployments; round += 1) {
        // Function by function within a round, so that the time of day hits all alike.
        for (const settings of kept) {
          signal.throwIfAborted();
          console.error(`${settings.name}, ${memoryMiB} MiB, deployment ${round} of ${deployments}`);
          await publishAnew(settings, memoryMiB, `${Date.now()}`);
          await callRepeatedly(settings.name, signal);
        }
      }
    }
  } finally {
    await restoreSettings(kept);
  }
}

/**
 * @param {import('./keep-settings.mjs').KeptSettings} settings
 * @param {number} memoryMiB
 * @param {string} token
 */
async function publishAnew({ name, variables }, memoryMiB, token) {
  // Whole processors, as the loader counts them, so that all functions compute with as many threads.
  const threads = String(Math.max(1, Math.floor(memoryMiB / memoryOfOneProcessor)));
  await changeConfiguration(name, memoryMiB, {
    ...variables,
    COLD_START_TOKEN: token,
    MODEL_THREADS: threads,
  });
  const target = ['--function-name', name];
  const { Version: version } = await callAws('lambda', 'publish-version', ...target);
  // With SnapStart a version takes minutes until its snapshot is there.
  await callAws('lambda', 'wait', 'published-version-active', ...target, '--qualifier', version);
  await callAws('lambda', 'update-alias', ...target, '--name', 'live', '--function-version', version);
}

/**
 * @param {string} name
 * @param {AbortSignal} signal
 */
async function callRepeatedly(name, signal) {
  for (let call = 0; call < callsPerDeployment; call += 1) {
    signal.throwIfAborted();
    await invoke(name);
  }
}

/** @param {string} name */
async function invoke(name) {
  // No calledAtMs: the start of the AWS CLI would count as part of the call. X-Ray times it instead.
  const answer = await callAws(
    'lambda',
    'invoke',
    '--function-name',
    name,
    '--qualifier',
    'live',
    '--cli-binary-format',
    'raw-in-base64-out',
    '--cli-read-timeout',
    '0',
    '--payload',
    '{}',
    '/dev/null',
  );
  if (answer.FunctionError !== undefined) console.error(`${name}: ${answer.FunctionError}`);
}
