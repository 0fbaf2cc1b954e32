import type { NamedTensors, Tensor } from '../../lib/tensor.js';
import type { InferencePrecision } from '../../lib/variant.js';
import { openvinoMessages } from '../../messages/openvino-messages.js';
import { addMessages } from '../../messages/words.js';
import type { Handle } from '../../native/openvino/c-types.js';
import { compileModel, readProperty } from '../../native/openvino/compile-model.js';
import { type OpenvinoLibrary, openOpenvino } from '../../native/openvino/open-openvino.js';
import { makeOwner, type Owner } from '../../native/openvino/owner.js';
import { createRequest, type RequestInput, runRequest } from '../../native/openvino/run-request.js';
import type { EngineAdapter, EngineSession } from '../checked-runtime.js';
import type { ModelSource, SessionSettings } from '../runtime.js';
import { explainRefusal } from './explain-refusal.js';
import { findOpenvino } from './find-openvino.js';
import { takeContent } from './model-content.js';
import { type NamedPort, namePorts } from './name-ports.js';
import { isSharedType, takeMemory, toElementType, viewElements } from './openvino-types.js';
import { makeProperties, parsePrecision, parseThreads } from './session-properties.js';

// A bundled handler has the words of what it can throw, and only with this module can it throw these.
addMessages(openvinoMessages);

/** The `native` of a session: for whoever needs more than the session has. */
export type OpenvinoNative = {
  readonly library: OpenvinoLibrary;
  /** `ov_compiled_model_t *`; freed when the session is closed. */
  readonly compiledModel: Handle;
  /** Reads a property of the compiled model, such as `LOADED_FROM_CACHE`, in OpenVINO's words. */
  readonly readProperty: (key: string) => string;
};

/**
 * Loads OpenVINO, which takes its native library into this process. It starts no other to find it: what takes a Python to
 * be found, OPENVINO_LIB_PATH names.
 *
 * @returns Its calls, without any rules.
 * @throws `runtime-missing` where none is found; `openvino-path-wrong`; `runtime-unusable` where what is found cannot be
 *   used.
 * @see https://docs.openvino.ai/2026/api/c_cpp_api/group__ov__c__api.html
 */
export async function importOpenvino(): Promise<EngineAdapter> {
  const { libraryPath } = await findOpenvino(process.env, { asksPython: false });
  const library = await openOpenvino(libraryPath);
  return {
    engine: 'openvino',
    version: library.version,
    open: (source, settings) => openSession(library, source, settings),
  };
}

async function openSession(
  library: OpenvinoLibrary,
  source: ModelSource,
  settings: SessionSettings,
): Promise<EngineSession> {
  const owner = makeOwner();
  try {
    const content = await takeContent(source);
    const compiled = await compileModel(library, content, makeProperties(settings), owner);
    return describeSession(library, compiled, settings, owner);
  } catch (error) {
    owner.free();
    throw explainRefusal(error, 'path' in source ? source.path : source.name, library);
  }
}

function describeSession(
  library: OpenvinoLibrary,
  compiledModel: Handle,
  { names }: SessionSettings,
  owner: Owner,
): EngineSession {
  const inputs = namePorts(library, compiledModel, 'input', names, owner);
  const outputs = namePorts(library, compiledModel, 'output', names, owner);
  const request = createRequest(library, compiledModel, owner);
  const read = (key: string) => {
    if (owner.isDone()) throw new Error(closedReason);
    return readProperty(library, compiledModel, key);
  };
  const native: OpenvinoNative = { library, compiledModel, readProperty: read };
  const inference: InferencePrecision = parsePrecision(read('INFERENCE_PRECISION_HINT'));
  return {
    inputs: inputs.map(({ spec }) => spec),
    outputs: outputs.map(({ spec }) => spec),
    inference,
    threads: parseThreads(read('INFERENCE_NUM_THREADS')),
    isFromCache: read('LOADED_FROM_CACHE') === 'YES',
    native,
    ...queueWork((feeds, outputNames) => {
      const fed = takeFeeds(inputs, feeds);
      const asked = pick(outputs, outputNames);
      return () => run(library, request, fed, asked);
    }, owner),
  };
}

const closedReason = 'its session is closed';

/**
 * There is one request, so inferences wait for each other; nothing may touch it once it is freed. Each is prepared when
 * it is asked for: whose feeds they are may change them before it is their turn.
 */
function queueWork(
  prepare: (...args: Parameters<EngineSession['run']>) => () => Promise<NamedTensors>,
  owner: Owner,
): Pick<EngineSession, 'run' | 'close'> {
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  const run: EngineSession['run'] = async (feeds, outputNames) => {
    if (isClosed) throw new Error(closedReason);
    const next = last.then(prepare(feeds, outputNames));
    last = next.catch(() => undefined);
    return next;
  };
  const close = async (): Promise<void> => {
    isClosed = true;
    await last;
    owner.free();
  };
  return { run, close };
}

function pick(outputs: readonly NamedPort[], names: readonly string[]): readonly NamedPort[] {
  const wanted = new Set(names);
  return outputs.filter(({ spec }) => wanted.has(spec.name));
}

/** Where something is left out, OpenVINO reads what it was given for the inference before, which is freed. */
function takeFeeds(inputs: readonly NamedPort[], feeds: NamedTensors): readonly RequestInput[] {
  return inputs.flatMap(({ port, spec: { name } }) => {
    if (port === null) return [];
    const feed = feeds[name];
    if (feed === undefined) throw new Error(`input \`${name}\` is missing`);
    const data = takeMemory(name, port.type, feed.data);
    return [{ port: port.handle, type: port.type, dims: [...feed.dims], data }];
  });
}

async function run(
  library: OpenvinoLibrary,
  request: Handle,
  fed: readonly RequestInput[],
  outputs: readonly NamedPort[],
): Promise<NamedTensors> {
  const ports = outputs.flatMap(({ port }) => (port === null ? [] : [port.handle]));
  const results = await runRequest(library, request, fed, ports);
  return Object.fromEntries(
    results.map(({ type, dims, bytes }, index): [string, Tensor] => {
      if (!isSharedType(type)) throw new Error(`it gave an output of type ${type}, which cannot be passed`);
      const name = outputs[index]?.spec.name ?? '';
      return [name, { type: toElementType(type), dims, data: viewElements(type, bytes) }];
    }),
  );
}
