import type { Delivery } from '../lib/delivery.js';
import { OptimiseModelError } from '../messages/error.js';
import { importRuntime } from '../runtimes/import-runtime.js';
import type { RuntimeSession, SessionSettings } from '../runtimes/runtime.js';
import { bringBytes } from './bring-bytes.js';
import type { BroughtModel } from './brought-model.js';
import type { ArtifactChoice } from './choose-artifact.js';
import { defaultThreads } from './default-threads.js';
import type { ResolvedOpenOptions } from './open-options.js';
import type { PhaseClock } from './phase-clock.js';
import { refuseUnmetNeed } from './refuse-unmet-need.js';

/** An artifact with a session on it. */
export type LoadedModel = {
  readonly session: RuntimeSession;
  readonly engineVersion: string;
  readonly settings: SessionSettings;
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
 * @throws `requirement-not-met`, what the engine, the store or the disk throws.
 */
export async function loadArtifact(
  choice: ArtifactChoice,
  delivery: Delivery,
  options: ResolvedOpenOptions,
  clock: PhaseClock,
): Promise<LoadedModel> {
  // Read when its library is loaded; it would also leave files of its own in the temporary folder.
  process.env.ORT_DISABLE_TELEMETRY ??= '1';
  const runtime = await clock.measure('runtimeMs', () => importRuntime(choice.record.variant.engine));
  // Once more: where it could not be seen before, and where something else was loaded than was seen.
  refuseUnmetNeed(choice.record, { version: runtime.version, architecture: process.arch });
  const brought = await clock.measure('downloadMs', () => bringBytes[delivery](choice, options));
  const settings = {
    threads: options.threads ?? choice.release?.threads ?? defaultThreads(),
    options: { ...choice.sessions[delivery === 'stream' ? 'stream' : 'own'], ...options.session },
  };
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

/** A refusal of external data in memory has another remedy than that of a model which the engine cannot open at all. */
function explainRefusal(error: unknown, choice: ArtifactChoice, brought: BroughtModel): unknown {
  const isFromMemory = 'externalData' in brought.source && brought.source.externalData.length > 0;
  if (!isFromMemory || !(error instanceof OptimiseModelError) || error.code !== 'runtime-refused-model')
    return error;
  const { id: variant, engine } = choice.record.variant;
  const reason = String(error.facts.reason);
  return OptimiseModelError.of('external-refused-from-memory', { variant, engine, reason }, error);
}

async function closeAll(session: RuntimeSession, brought: BroughtModel): Promise<void> {
  try {
    await session.close();
  } finally {
    await brought.discard();
  }
}
