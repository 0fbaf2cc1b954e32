// src_lambda_node_loader: the loader opens what was published, then the study's 1 + 50 inferences are timed.
import { openModel } from 'optimise-model/loader';
// So that the bundle can open what was made for OpenVINO too; its library is loaded only for that.
import 'optimise-model/loader/openvino';
import { describeInvocation } from './describe-invocation.mjs';
import { makeFeeds } from './make-feeds.mjs';

const furtherInferences = 50;

// Where nothing is said, a release says how the model comes.
const delivery = process.env.MODEL_DELIVERY;
// Loaded before the first call; the loader logs a line of its own when the first inference is done.
const model = await openModel(process.env.MODEL_SOURCE, delivery ? { delivery } : {});
let isFirst = true;

/**
 * Answers one call and logs one line, which `optimise-model bench import` reads.
 *
 * @param {{ calledAtMs?: number }} event - `calledAtMs`: Unix time of the caller, milliseconds.
 * @param {{ functionName: string, awsRequestId: string, memoryLimitInMB: string }} context - As Lambda gives it.
 * @returns {Promise<object>} The line.
 */
export async function handler(event, context) {
  const isCold = isFirst;
  isFirst = false;
  const enteredAt = performance.now();
  const wasLoaded = model.phases.sessionMs !== null;
  // Loads a lazy model, so that nothing of that is in the first inference.
  const inputs = await model.inputs();
  const readyAfterMs = performance.now() - enteredAt;
  const feeds = makeFeeds(inputs);
  const firstStart = performance.now();
  await model.run(feeds);
  const initialInferenceMs = performance.now() - firstStart;
  const furtherStart = performance.now();
  for (let count = 0; count < furtherInferences; count += 1) await model.run(feeds);
  const furtherInferencesMs = performance.now() - furtherStart;
  const enteredAtMs = performance.timeOrigin + enteredAt;
  const opening = { enteredAtMs, wasLoaded, readyAfterMs };
  const times = { initialInferenceMs, furtherInferences, furtherInferencesMs };
  const line = describeInvocation(event ?? {}, context, isCold, { ...opening, ...times }, model);
  console.log(JSON.stringify(line));
  return line;
}
