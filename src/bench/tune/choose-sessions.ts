import { formatMs } from '../../lib/format-quantity.js';
import { type ArtifactSessions, type SessionOptions, usualSessions } from '../../lib/session-options.js';
import { spreadOf } from '../statistics/spread.js';
import type { TunedConfiguration, TuneForm } from './tune-result.js';

/** Differences up to this share are within what two runs of the same differ by. */
const tieShare = 0.02;

/** Runs of the same that differ by more than this many times tell nothing about differences between configurations. */
const mostNoise = 1.5;

/** What was chosen, and why. */
export type ChosenSessions = { readonly chosen: ArtifactSessions; readonly reason: string };

/** A configuration that can be chosen: options only, nothing that was saved or kept beforehand, and no figure missing. */
type Candidate = {
  readonly session: SessionOptions;
  readonly readyMs: number;
  readonly steadyMs: number;
  /** Of single processes: a machine that does other things makes a run slower, never faster. */
  readonly ready: { readonly lowestMs: number; readonly highestMs: number };
};

/**
 * Chooses the session options of an artifact as it is and of its expanded form: of those whose steady inferences take at
 * most `mostSteadyShare` times the fastest of the same form, the one that is ready for its first answer soonest. Of those
 * within 2 % of it, and those whose runs overlap with its runs, the one nearest to the usual options is taken: what a
 * noisy machine cannot tell apart is no reason to leave them.
 *
 * @param configurations - With their figures.
 * @param mostSteadyShare - Such as 1.1.
 * @returns Options for both; the usual ones where nothing was measured, or the machine was too noisy.
 */
export function chooseSessions(
  configurations: readonly TunedConfiguration[],
  mostSteadyShare: number,
): ChosenSessions {
  if (isTooNoisy(configurations)) {
    const noise = measureNoise(configurations);
    const reason = `The usual options: runs of the same differ by ${noise.toFixed(1)} times, which tells nothing apart.`;
    return { chosen: usualSessions, reason };
  }
  const own = chooseForm(configurations, 'own', mostSteadyShare);
  const stream = chooseForm(configurations, 'expanded', mostSteadyShare);
  return {
    chosen: { own: own.session, stream: stream.session },
    reason: `As it is: ${own.reason}. By stream: ${stream.reason}.`,
  };
}

/**
 * Measures how far runs of the same configuration lie apart.
 *
 * @param configurations - With their samples.
 * @returns The slowest ÷ the fastest run to the first answer, median over configurations; 1 without samples.
 */
export function measureNoise(configurations: readonly TunedConfiguration[]): number {
  const ratios = configurations.flatMap(({ samples }) => {
    const ready = samples.map((sample) => sample.sessionMs + sample.firstInferenceMs);
    return ready.length === 0 ? [] : [Math.max(...ready) / Math.min(...ready)];
  });
  return spreadOf(ratios)?.median ?? 1;
}

/**
 * Tells whether a machine was too noisy to choose.
 *
 * @param configurations - With their samples.
 * @returns True when runs of the same differ by more than half.
 */
export function isTooNoisy(configurations: readonly TunedConfiguration[]): boolean {
  return measureNoise(configurations) > mostNoise;
}

function chooseForm(
  configurations: readonly TunedConfiguration[],
  form: TuneForm,
  mostSteadyShare: number,
): { readonly session: SessionOptions; readonly reason: string } {
  const usual = form === 'own' ? usualSessions.own : usualSessions.stream;
  const candidates = configurations.flatMap((each) => (each.form === form ? toCandidates(each) : []));
  const bestSteadyMs = Math.min(...candidates.map((each) => each.steadyMs));
  const fit = candidates
    .filter((each) => each.steadyMs <= bestSteadyMs * mostSteadyShare)
    .sort((left, right) => left.readyMs - right.readyMs);
  const [soonest] = fit;
  const [best] = fit
    .filter((each) => soonest !== undefined && isTied(each, soonest))
    .sort((left, right) => countDifferences(left.session, usual) - countDifferences(right.session, usual));
  if (best === undefined) return { session: usual, reason: `${nameOptions(usual)}, as nothing was measured` };
  return { session: best.session, reason: explain(best, bestSteadyMs, candidates.length) };
}

function toCandidates(each: TunedConfiguration): Candidate[] {
  const { saved, session, readyMs, steadyMs, samples, error } = each;
  if (each.modelCache !== 'none' || !each.isMapped) return [];
  if (saved !== null || readyMs === null || steadyMs === null || error !== null) return [];
  const ready = samples.map((sample) => sample.sessionMs + sample.firstInferenceMs);
  return [
    {
      ...{ session, readyMs, steadyMs },
      ready: { lowestMs: Math.min(readyMs, ...ready), highestMs: Math.max(readyMs, ...ready) },
    },
  ];
}

function isTied(each: Candidate, soonest: Candidate): boolean {
  return each.readyMs <= soonest.readyMs * (1 + tieShare) || each.ready.lowestMs <= soonest.ready.highestMs;
}

function countDifferences(left: SessionOptions, right: SessionOptions): number {
  return Number(left.prepacking !== right.prepacking) + Number(left.optimisation !== right.optimisation);
}

function explain({ session, readyMs, steadyMs }: Candidate, bestSteadyMs: number, count: number): string {
  const share = (steadyMs / bestSteadyMs).toFixed(2);
  return (
    `${nameOptions(session)}, ${formatMs(readyMs)} from file to first answer at ${share} times the fastest steady ` +
    `inference, out of ${count}`
  );
}

function nameOptions({ prepacking, optimisation }: SessionOptions): string {
  return `${prepacking ? 'prepacking' : 'no prepacking'} and optimisation \`${optimisation}\``;
}
