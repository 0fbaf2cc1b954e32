import { callAws } from './call-aws.mjs';

const deployments = 3;
const callsPerDeployment = 2;
/** MiB of one vCPU. */
const memoryOfOneProcessor = 1769;

/**
 * Forces cold starts by new versions: per function and memory 3 deployments × 2 calls.
 *
 * @param {readonly string[]} functions - Their names.
 * @param {readonly number[]} memories - MiB.
 */
export async function redeployAndCall(functions, memories) {
  for (const memoryMiB of memories) {
    for (let round = 1; round <= deployments; round += 1) {
      // Function by function within a round, so that the time of day hits all alike.
      for (const name of functions) {
        console.error(`${name}, ${memoryMiB} MiB, deployment ${round} of ${deployments}`);
        await publishAnew(name, memoryMiB, `${Date.now()}`);
        for (let call = 0; call < callsPerDeployment; call += 1) await invoke(name);
      }
    }
  }
}

/**
 * @param {string} name
 * @param {number} memoryMiB
 * @param {string} token
 */
async function publishAnew(name, memoryMiB, token) {
  const { Environment: environment } = await callAws(
    'lambda',
    'get-function-configuration',
    '--function-name',
    name,
  );
  const threads = String(Math.ceil(memoryMiB / memoryOfOneProcessor));
  const variables = { ...environment.Variables, COLD_START_TOKEN: token, MODEL_THREADS: threads };
  const target = ['--function-name', name];
  const settings = [
    '--memory-size',
    String(memoryMiB),
    '--environment',
    JSON.stringify({ Variables: variables }),
  ];
  await callAws('lambda', 'update-function-configuration', ...target, ...settings);
  await callAws('lambda', 'wait', 'function-updated-v2', ...target);
  const { Version: version } = await callAws('lambda', 'publish-version', ...target);
  // With SnapStart a version takes minutes until its snapshot is there.
  await callAws('lambda', 'wait', 'published-version-active', ...target, '--qualifier', version);
  await callAws('lambda', 'update-alias', ...target, '--name', 'live', '--function-version', version);
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
