import { chooseThreads, readCpuEnvironment } from '../lib/cpu-quota.js';
import type { Delivery } from '../lib/delivery.js';
import type { SessionSettings } from '../runtimes/runtime.js';
import { type ArtifactChoice, engineOf } from './choose-artifact.js';
import { type ResolvedOpenOptions, refuse } from './open-options.js';

/** How a session is opened, and what decided its number of threads. */
export type SessionChoice = SessionSettings & {
  /** `option`, `release`, or what bounds the processors of this process, such as `cgroup quota 0.5 CPU`. */
  readonly threadsOrigin: string;
  /** What of the CPU quota could not be read; null when all was understood, or nobody looked. */
  readonly threadsWarning: string | null;
};

/**
 * Chooses how the session of an artifact is opened: what the caller says wins over the release, and the release over
 * what the machine suggests.
 *
 * @param choice - The artifact.
 * @param delivery - How its bytes come: the expanded form has session options of its own.
 * @param options - What the caller said.
 * @param cacheFolder - Where the engine keeps what it compiles; null for nowhere.
 * @returns Settings for the engine.
 * @throws `open-option-wrong` for session options where the engine has none.
 */
export function chooseSession(
  choice: ArtifactChoice,
  delivery: Delivery,
  options: ResolvedOpenOptions,
  cacheFolder: string | null,
): SessionChoice {
  const published = choice.sessions[delivery === 'stream' ? 'stream' : 'own'];
  const { variant, requires } = choice.record;
  if (engineOf(choice.record) === 'openvino' && Object.keys(options.session).length > 0)
    refuse('session', JSON.stringify(options.session), 'a variant of onnxruntime');
  return {
    options: { ...published, ...options.session },
    inference: variant?.inference ?? 'f32',
    cacheFolder,
    // Through a mount each page that is touched would be a request of its own.
    isMapped: !(delivery === 'mount' && options.mountMode === 'direct'),
    names: requires?.names ?? null,
    ...findThreads(choice, options),
  };
}

function findThreads(
  { release }: ArtifactChoice,
  options: ResolvedOpenOptions,
): Pick<SessionChoice, 'threads' | 'threadsOrigin' | 'threadsWarning'> {
  if (options.threads !== null)
    return { threads: options.threads, threadsOrigin: 'option', threadsWarning: null };
  if (release !== null && release.threads !== null)
    return { threads: release.threads, threadsOrigin: 'release', threadsWarning: null };
  const { threads, origin, warning } = chooseThreads(readCpuEnvironment());
  return { threads, threadsOrigin: origin, threadsWarning: warning };
}
