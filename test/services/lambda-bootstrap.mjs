// The part of Lambda's Node.js runtime that a test needs: loads the handler, then takes calls from the Runtime API.
// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const api = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime`;
const [file, name] = process.env._HANDLER.split('.');
let requestId = 'undefined';

// As the runtime prints: time, request id and level before the text, with tabs between.
console.log = (text) => {
  process.stdout.write(`${new Date().toISOString()}\t${requestId}\tINFO\t${text}\n`);
};

const post = (path, body) => fetch(`${api}/${path}`, { method: 'POST', body: JSON.stringify(body) });
const describeError = (error) => ({
  errorType: error.name,
  errorMessage: error.message,
  stackTrace: String(error.stack).split('\n'),
});

const module = await import(pathToFileURL(join(process.env.LAMBDA_TASK_ROOT, `${file}.mjs`)).href).catch(
  async (error) => {
    await post('init/error', describeError(error));
    process.exit(1);
  },
);

for (;;) {
  const next = await fetch(`${api}/invocation/next`);
  requestId = next.headers.get('lambda-runtime-aws-request-id');
  const event = await next.json();
  const context = {
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    awsRequestId: requestId,
  };
  try {
    await post(`invocation/${requestId}/response`, await module[name](event, context));
  } catch (error) {
    await post(`invocation/${requestId}/error`, describeError(error));
  }
}
