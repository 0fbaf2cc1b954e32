import type { NamedTensors, ValueSpec } from '../lib/tensor.js';
import type { Engine, InferencePrecision } from '../lib/variant.js';
import { OptimiseModelError } from '../messages/error.js';
import { findFeedProblems } from './check-feeds.js';
import { isReturnable } from './returnable-output.js';
import type { ModelSource, Runtime, RuntimeSession, SessionSettings } from './runtime.js';

/** What an engine's adapter gives for one opened model; vendor calls only, no rules. */
export type EngineSession = {
  readonly inputs: readonly ValueSpec[];
  readonly outputs: readonly ValueSpec[];
  /** Read back from the engine. */
  readonly inference: InferencePrecision;
  /** Read back from an engine that may have fewer than it was asked for. */
  readonly threads: number;
  /** Read back from the engine. */
  readonly isFromCache: boolean;
  readonly run: (feeds: NamedTensors, outputNames: readonly string[]) => Promise<NamedTensors>;
  readonly close: () => Promise<void>;
  readonly native: unknown;
};

/** What an engine's adapter gives: how to open a model; it throws the engine's own errors. */
export type EngineAdapter = {
  readonly engine: Engine;
  readonly version: string;
  readonly open: (source: ModelSource, settings: SessionSettings) => Promise<EngineSession>;
};

/**
 * Puts the rules that hold for every engine around an adapter: feeds are checked first, only tensor outputs are asked
 * for, and what the engine throws comes out in the catalogue's words with the engine's inside.
 *
 * @param adapter - The engine's own calls.
 * @returns The engine as the rest of the tool knows it.
 */
export function makeCheckedRuntime(adapter: EngineAdapter): Runtime {
  return {
    engine: adapter.engine,
    version: adapter.version,
    openSession: (source, settings) => openChecked(adapter, source, settings),
  };
}

async function openChecked(
  adapter: EngineAdapter,
  source: ModelSource,
  settings: SessionSettings,
): Promise<RuntimeSession> {
  const model = 'path' in source ? source.path : `${source.name} in memory`;
  const { engine } = adapter;
  const session = await quoteRefusal(engine, model, () => adapter.open(source, settings));
  return {
    inputs: session.inputs,
    outputs: session.outputs,
    inference: session.inference,
    threads: session.threads,
    isFromCache: session.isFromCache,
    native: session.native,
    run: (feeds) => runChecked(session, feeds, engine, model),
    close: () => session.close(),
  };
}

/**
 * Does what an engine may refuse, and puts a refusal into the catalogue's words with the engine's inside.
 *
 * @param engine - The engine.
 * @param model - What it is to open, for the message.
 * @param work - The vendor's call.
 * @returns What it returns.
 * @throws `runtime-refused-model`.
 */
export async function quoteRefusal<T>(engine: Engine, model: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OptimiseModelError) throw error;
    // An engine may know better what to do.
    const { advice } = Object(error) as { readonly advice?: string };
    const facts = { engine, model, reason: quoteEngine(error), ...(advice && { advice }) };
    throw OptimiseModelError.of('runtime-refused-model', facts, error);
  }
}

async function runChecked(
  session: EngineSession,
  feeds: NamedTensors,
  engine: Engine,
  model: string,
): Promise<NamedTensors> {
  const problems = findFeedProblems(session.inputs, feeds);
  if (problems.length > 0) throw OptimiseModelError.of('feed-wrong', { model, problems });
  const outputNames = session.outputs.filter(isReturnable).map((output) => output.name);
  if (outputNames.length === 0) {
    const outputs = session.outputs.map((output) => output.name);
    throw OptimiseModelError.of('runtime-no-tensor-output', { engine, model, outputs });
  }
  try {
    return await session.run(feeds, outputNames);
  } catch (error) {
    throw OptimiseModelError.of('runtime-run-failed', { engine, model, reason: quoteEngine(error) }, error);
  }
}

const longestQuote = 600;

function quoteEngine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const line = text.replaceAll(/\s+/g, ' ').trim() || 'it gave no reason.';
  return line.length > longestQuote ? `${line.slice(0, longestQuote)} …` : line;
}
