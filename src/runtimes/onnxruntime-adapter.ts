import type { InferenceSession, Tensor as OrtTensor } from 'onnxruntime-node';
import type { ElementType, NamedTensors, ValueSpec } from '../lib/tensor.js';
import type { EngineAdapter, EngineSession } from './checked-runtime.js';
import { fromOrtTensor, pinHalfStorage, toOrtTensor } from './onnxruntime-tensor.js';
import { prototypeName } from './returnable-output.js';
import type { ModelSource, SessionSettings } from './runtime.js';

type OrtModule = typeof import('onnxruntime-node');

/** For a session's `logSeverityLevel`: errors are thrown as well, so that printing them would say everything twice. */
export const severityFatal = 4;

/**
 * Loads onnxruntime-node, which takes its native library into this process.
 *
 * @returns Its calls, without any rules.
 * @throws Node's own error when the package or its binary is missing.
 * @see https://onnxruntime.ai/docs/api/js/
 */
export async function importOnnxruntime(): Promise<EngineAdapter> {
  const ort = await import('onnxruntime-node');
  // Its warnings would otherwise appear among ours, once per session.
  ort.env.logLevel = 'fatal';
  pinHalfStorage(ort.Tensor);
  return {
    engine: 'onnxruntime',
    version: ort.env.versions.node ?? ort.env.versions.common,
    open: (source, settings) => openSession(ort, source, settings),
  };
}

async function openSession(
  ort: OrtModule,
  source: ModelSource,
  settings: SessionSettings,
): Promise<EngineSession> {
  const options = makeOptions(source, settings);
  const session =
    'path' in source
      ? await ort.InferenceSession.create(source.path, options)
      : await ort.InferenceSession.create(source.bytes, options);
  return {
    inputs: session.inputMetadata.map(toValueSpec),
    outputs: session.outputMetadata.map(toValueSpec),
    inference: 'f32',
    threads: settings.threads,
    isFromCache: false,
    native: session,
    run: (feeds, outputNames) => runSession(ort, session, feeds, outputNames),
    close: () => session.release(),
  };
}

function makeOptions(source: ModelSource, settings: SessionSettings): InferenceSession.SessionOptions {
  return {
    executionProviders: ['cpu'],
    intraOpNumThreads: settings.threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: settings.options.optimisation,
    // Keys of its configuration take text only; a number is refused.
    ...(settings.options.prepacking ? {} : { extra: { session: { disable_prepacking: '1' } } }),
    logSeverityLevel: severityFatal,
    ...('bytes' in source && source.externalData.length > 0
      ? { externalData: source.externalData.map(({ path, data }) => ({ path, data })) }
      : {}),
  };
}

async function runSession(
  ort: OrtModule,
  session: InferenceSession,
  feeds: NamedTensors,
  outputNames: readonly string[],
): Promise<NamedTensors> {
  const ortFeeds = Object.fromEntries(
    Object.entries(feeds).map(([name, tensor]) => [name, toOrtTensor(ort.Tensor, tensor)]),
  );
  // Asked for by this name, onnxruntime-node takes the prototype off its list of outputs, without which it would find
  // the output there by inheritance and refuse it.
  const prototypes = session.outputNames.filter((name) => name === prototypeName);
  const results = await session.run(ortFeeds, [...prototypes, ...outputNames]);
  return Object.fromEntries(
    Object.entries(results).map(([name, tensor]) => [name, fromOrtTensor(tensor as OrtTensor)]),
  );
}

function toValueSpec(metadata: InferenceSession.ValueMetadata): ValueSpec {
  if (!metadata.isTensor) return { name: metadata.name, isTensor: false, dims: [] };
  return {
    name: metadata.name,
    isTensor: true,
    type: metadata.type as ElementType,
    dims: metadata.shape.map((axis) => (axis === '' ? '?' : axis)),
  };
}
