import { callAws } from './call-aws.mjs';

const calls = 15;
const hourMs = 3_600_000;

/**
 * Has every function called once an hour, 15 times, which are all cold.
 *
 * @param {string} stack - Name of the stack of template.yaml.
 */
export async function startSchedule(stack) {
  const { Stacks: stacks } = await callAws('cloudformation', 'describe-stacks', '--stack-name', stack);
  // Half an hour after the last call, so that it surely comes and none follows.
  const end = new Date(Date.now() + (calls + 0.5) * hourMs).toISOString().replace(/\.\d+Z$/, 'Z');
  const changed = { ScheduleState: 'ENABLED', ScheduleEnd: end };
  const parameters = stacks[0].Parameters.map(({ ParameterKey: key }) =>
    Object.hasOwn(changed, key)
      ? { ParameterKey: key, ParameterValue: changed[key] }
      : { ParameterKey: key, UsePreviousValue: true },
  );
  await callAws(
    'cloudformation',
    'update-stack',
    '--stack-name',
    stack,
    '--use-previous-template',
    '--capabilities',
    'CAPABILITY_IAM',
    'CAPABILITY_AUTO_EXPAND',
    '--parameters',
    JSON.stringify(parameters),
  );
  await callAws('cloudformation', 'wait', 'stack-update-complete', '--stack-name', stack);
  const since = new Date().toISOString();
  console.error(`Hourly calls until ${end}; then: node run-study.mjs collect --since ${since}`);
}
