import { formatMs } from '../../lib/format-quantity.js';
import { type ArtifactSessions, type SessionOptions, usualSessions } from '../../lib/session-options.js';
import type { TunedConfiguration, TuneForm } from './tune-result.js';

/** Differences up to this share are within what two runs of the same differ by. */
const tieShare = 0.02;

/** What was chosen, and why. */
export type ChosenSessions = { readonly chosen: ArtifactSessions; readonly reason: string };

/** A configuration that can be chosen: options only, nothing that was saved beforehand, and no figure missing. */
type Candidate = { readonly session: SessionOptions; readonly readyMs: number; readonly steadyMs: number };

/**
 * Chooses the session options of an artifact as it is and of its expanded form: of those whose steady inferences take at
 * most `mostSteadyShare` times the fastest of the same form, the one that is ready for its first answer soonest. Of those
 * within 2 % of it the one nearest to the usual options is taken.
 *
 * @param configurations - With their figures.
 * @param mostSteadyShare - Such as 1.1.
 * @returns Options for both; the usual ones where nothing was measured.
 */
export function chooseSessions(
  configurations: readonly TunedConfiguration[],
  mostSteadyShare: number,
): ChosenSessions {
  const own = chooseForm(configurations, 'own', mostSteadyShare);
  const stream = chooseForm(configurations, 'expanded', mostSteadyShare);
  return {
    chosen: { own: own.session, stream: stream.session },
    reason: `As it is: ${own.reason}. By stream: ${stream.reason}.`,
  };
}

function chooseForm(
  configurations: readonly TunedConfiguration[],
  form: TuneForm,
  mostSteadyShare: number,
): { readonly session: SessionOptions; readonly reason: string } {
  const usual = form === 'own' ? usualSessions.own : usualSessions.stream;
  const candidates = configurations.flatMap((each) => (each.form === form ? toCandidates(each) : []));
  const bestSteadyMs = Math.min(...candidates.map((each) => each.steadyMs));
  const fit = candidates.filter((each) => each.steadyMs <= bestSteadyMs * mostSteadyShare);
  const lowestMs = Math.min(...fit.map((each) => each.readyMs));
  const [best] = fit
    .filter((each) => each.readyMs <= lowestMs * (1 + tieShare))
    .sort(
      (left, right) =>
        countDifferences(left.session, usual) - countDifferences(right.session, usual) ||
        left.readyMs - right.readyMs,
    );
  if (best === undefined) return { session: usual, reason: `${nameOptions(usual)}, as nothing was measured` };
  return { session: best.session, reason: explain(best, bestSteadyMs, candidates.length) };
}

function toCandidates({ saved, session, readyMs, steadyMs, error }: TunedConfiguration): Candidate[] {
  if (saved !== null || readyMs === null || steadyMs === null || error !== null) return [];
  return [{ session, readyMs, steadyMs }];
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
