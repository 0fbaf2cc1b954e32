// Runs the study's two protocols with the AWS CLI, and collects logs and traces for `optimise-model bench import`.
import { parseArgs } from 'node:util';
import { collectExports } from './study/collect-exports.mjs';
import { redeployAndCall } from './study/redeploy-and-call.mjs';
import { startSchedule } from './study/start-schedule.mjs';

const usage = `usage:
  node run-study.mjs redeploy [--memory 2048,4096,8192] [--functions A,B] [--out FOLDER]
      publishes a new version by an environment variable, 3 times per function and memory, and calls each twice:
      the first call is cold, the second warm; puts memory and alias back, also after a failure or Ctrl-C; then collects
  node run-study.mjs hourly --stack NAME
      has the stack's schedule call every function once an hour, 15 times; collect when it is over
  node run-study.mjs collect --since 2026-11-30T10:00:00Z [--functions A,B] [--out FOLDER]
      writes logs and traces since then, one file each`;

const allFunctions = [
  'docker_lambda_vanilla_pytorch',
  'docker_lambda_pytorch_pickle',
  'src_lambda_onnx_normal',
  'src_lambda_openvino_normal',
  'src_lambda_onnx_snapstart',
  'src_lambda_openvino_snapstart',
  'src_lambda_node_loader',
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    memory: { type: 'string', default: '2048,4096,8192' },
    functions: { type: 'string', default: allFunctions.join(',') },
    out: { type: 'string', default: 'study-logs' },
    stack: { type: 'string' },
    since: { type: 'string' },
  },
});
const [protocol] = positionals;
const functions = values.functions.split(',');

if (protocol === 'redeploy') {
  const sinceMs = Date.now();
  // A second Ctrl-C ends at once, and leaves the functions as they are.
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'])
    process.once(name, () => stop.abort(new Error(`stopped by ${name}`)));
  await redeployAndCall(functions, values.memory.split(',').map(Number), stop.signal);
  await collectExports(functions, sinceMs, values.out);
} else if (protocol === 'hourly' && values.stack !== undefined) {
  await startSchedule(values.stack);
} else if (protocol === 'collect' && !Number.isNaN(Date.parse(values.since ?? ''))) {
  await collectExports(functions, Date.parse(values.since), values.out);
} else {
  console.error(usage);
  process.exitCode = 2;
}
