import type { Delivery } from '../lib/delivery.js';
import type { FactsOf } from '../messages/catalogue.js';
import { OptimiseModelError } from '../messages/error.js';
import { importRuntime } from '../runtimes/import-runtime.js';
import type { RuntimeSession } from '../runtimes/runtime.js';
import { bringBytes } from './bring-bytes.js';
import type { BroughtModel } from './brought-model.js';
import { type ArtifactChoice, engineOf } from './choose-artifact.js';
import { chooseSession, type SessionChoice } from './choose-session.js';
import { makeModelCache } from './model-cache.js';
import type { ResolvedOpenOptions } from './open-options.js';
import type { PhaseClock } from './phase-clock.js';
import { offerHere, refuseUnmetNeed } from './refuse-unmet-need.js';

/** An artifact with a session on it. */
export type LoadedModel = {
  readonly session: RuntimeSession;
  readonly engineVersion: string;
  readonly settings: SessionChoice;
  /** Whether verified files of an earlier process were taken instead of a download. */
  readonly isReused: boolean;
  /** What the expanded form takes on disk, bytes; null but for `stream`. */
  readonly expandedSizeBytes: number | null;
  /** Closes the session and removes what was downloaded. */
  readonly close: () => Promise<void>;
};

/**
 * Loads the engine, brings the bytes and opens a session, one after the other, so that each phase is what it says.
 *
 * @param choice - The artifact.
 * @param delivery - How its bytes are brought.
 * @param options - Where to, how, and with how many threads.
 * @param clock - Measures the phases.
 * @returns The session; nothing is left on disk when it fails.
 * @throws `open-option-wrong`, `requirement-not-met`, what the engine, the store or the disk throws.
 */
export async function loadArtifact(
  choice: ArtifactChoice,
  delivery: Delivery,
  options: ResolvedOpenOptions,
  clock: PhaseClock,
): Promise<LoadedModel> {
  const cacheFolder = await makeModelCache(choice, delivery, options);
  const settings = chooseSession(choice, delivery, options, cacheFolder);
  // Read when its library is loaded; it would also leave files of its own in the temporary folder.
  process.env.ORT_DISABLE_TELEMETRY ??= '1';
  const runtime = await clock.measure('runtimeMs', () => importRuntime(engineOf(choice.record)));
  // Once more: where it could not be seen before, and where something else was loaded than was seen.
  refuseUnmetNeed(choice.record, offerHere(runtime.version));
  const brought = await clock
    .measure('downloadMs', () => bringBytes[delivery](choice, options))
    .catch((error: unknown) => {
      throw explainCorrupt(error, choice, options.sha256);
    });
  try {
    const session = await clock.measure('sessionMs', () => runtime.openSession(brought.source, settings));
    return {
      session,
      engineVersion: runtime.version,
      settings,
      isReused: brought.isReused,
      expandedSizeBytes: brought.expandedSizeBytes,
      close: () => closeAll(session, brought),
    };
  } catch (error) {
    await brought.discard();
    throw explainRefusal(error, choice, brought);
  }
}

/** A refusal of a bare file, or of external data in memory, has another remedy than that of a broken model. */
function explainRefusal(error: unknown, choice: ArtifactChoice, brought: BroughtModel): unknown {
  if (!(error instanceof OptimiseModelError) || error.code !== 'runtime-refused-model') return error;
  const { variant, entry } = choice.record;
  const [engine, reason] = [engineOf(choice.record), String(error.facts.reason)];
  if (variant === null) {
    const source = `${choice.store.url}/${entry}`;
    return OptimiseModelError.of('bare-file-refused', { source, engine, reason }, error);
  }
  // What is beside an IR in memory is its weights, and no reason to refuse it.
  if (!('bytes' in brought.source) || variant.layout !== 'external') return error;
  return OptimiseModelError.of(
    'external-refused-from-memory',
    { variant: variant.id, engine, reason },
    error,
  );
}

/** What a bare file must be is not in a record, but given by the caller or its server. */
function explainCorrupt(error: unknown, choice: ArtifactChoice, sha256: string | null): unknown {
  const isOfBare = choice.record.variant === null;
  if (!isOfBare || !(error instanceof OptimiseModelError) || error.code !== 'download-corrupt') return error;
  const { url, problem, expected, seen } = error.facts as FactsOf<'download-corrupt'>;
  // The option says nothing of the size.
  const saidBy = problem === 'its SHA-256' && sha256 !== null ? 'the option `sha256`' : 'its server';
  return OptimiseModelError.of('download-corrupt', { url, problem, expected, seen, saidBy }, error);
}

async function closeAll(session: RuntimeSession, brought: BroughtModel): Promise<void> {
  try {
    await session.close();
  } finally {
    await brought.discard();
  }
}
