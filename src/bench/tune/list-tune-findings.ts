import { type ArtifactSessions, type SessionOptions, usualSession } from '../../lib/session-options.js';
import { type Finding, makeFinding } from '../../messages/finding.js';
import { isTooNoisy, measureNoise } from './choose-sessions.js';
import { nameConfiguration } from './plan-configurations.js';
import type { TunedConfiguration, TuneForm } from './tune-result.js';

/** Less than this is within what two runs of the same differ by. */
const leastGain = 0.02;

/**
 * Says which configurations failed, and what a graph that is saved beforehand, or a model cache, would gain over what was
 * chosen.
 *
 * @param variantId - What was tuned.
 * @param configurations - With their figures.
 * @param chosen - The options chosen.
 * @param mostSteadyShare - What the choice allowed of steady inferences.
 * @returns Failures as warnings, all saved graphs that failed as one piece of information; the gain as information; instead of the gain a warning where noise hides it.
 */
export function listTuneFindings(
  variantId: string,
  configurations: readonly TunedConfiguration[],
  chosen: ArtifactSessions,
  mostSteadyShare: number,
): Finding[] {
  const failures = [
    ...configurations.flatMap((each) => {
      if (each.error === null || each.saved !== null) return [];
      const facts = { variantId, configuration: nameConfiguration(each), ...each.error };
      return [makeFinding('warning', 'tune-configuration-failed', facts)];
    }),
    ...describeSaved(variantId, configurations),
  ];
  if (isTooNoisy(configurations)) {
    const ratio = measureNoise(configurations);
    return [...failures, makeFinding('warning', 'tune-too-noisy', { variantId, ratio })];
  }
  const gains = [
    findGain(variantId, configurations, chosen, mostSteadyShare),
    findCacheGain(variantId, configurations),
  ];
  return [...failures, ...gains.filter((each) => each !== null)];
}

/** No release holds them, so nothing is lost but a comparison. */
function describeSaved(variantId: string, configurations: readonly TunedConfiguration[]): Finding[] {
  const saved = configurations.filter((each) => each.saved !== null);
  const errors = saved.flatMap(({ error }) => error ?? []);
  const [first] = errors;
  if (first === undefined) return [];
  const facts = { variantId, failures: errors.length, graphs: saved.length, ...first };
  return [makeFinding('info', 'tune-saved-graphs-failed', facts)];
}

function findGain(
  variantId: string,
  configurations: readonly TunedConfiguration[],
  chosen: ArtifactSessions,
  mostSteadyShare: number,
): Finding | null {
  const bestSteadyMs = Math.min(...configurations.flatMap(({ steadyMs }) => steadyMs ?? []));
  const isFit = ({ steadyMs }: TunedConfiguration) =>
    steadyMs !== null && steadyMs <= bestSteadyMs * mostSteadyShare;
  const chosenMs = Math.min(
    ...[
      findReady(configurations, 'own', chosen.own),
      findReady(configurations, 'expanded', chosen.stream),
    ].filter((each) => each !== null),
  );
  const saved = configurations.filter((each) => each.saved !== null && isFit(each));
  const [best] = saved.sort((left, right) => (left.readyMs ?? 0) - (right.readyMs ?? 0));
  if (best === undefined || best.readyMs === null || best.sizeBytes === null) return null;
  if (!Number.isFinite(chosenMs) || best.readyMs > chosenMs * (1 - leastGain)) return null;
  const { readyMs, sizeBytes, boundTo } = best;
  const facts = { variantId, configuration: nameConfiguration(best), readyMs, chosenMs, sizeBytes, boundTo };
  return makeFinding('info', 'tune-offline-gain', facts);
}

function findReady(
  configurations: readonly TunedConfiguration[],
  form: TuneForm,
  { prepacking, optimisation }: SessionOptions,
): number | null {
  const found = configurations.find(
    ({ saved, session, ...each }) =>
      saved === null &&
      each.modelCache === 'none' &&
      each.isMapped &&
      each.form === form &&
      session.prepacking === prepacking &&
      session.optimisation === optimisation,
  );
  return found?.readyMs ?? null;
}

function findCacheGain(variantId: string, configurations: readonly TunedConfiguration[]): Finding | null {
  const plainMs = findReady(configurations, 'own', usualSession);
  const [cold, warm] = (['cold', 'warm'] as const).map((state) =>
    configurations.find(({ modelCache }) => modelCache === state),
  );
  if (plainMs === null || cold?.readyMs == null || warm?.readyMs == null) return null;
  const { readyMs: warmMs, cacheSizeBytes, boundTo } = warm;
  if (warmMs > plainMs * (1 - leastGain)) return null;
  const facts = { variantId, plainMs, coldMs: cold.readyMs, warmMs, cacheSizeBytes, boundTo };
  return makeFinding('info', 'tune-cache-gain', facts);
}
