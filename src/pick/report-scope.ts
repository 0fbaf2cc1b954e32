import { nameObjective, weighMetrics } from '../lib/objective.js';
import { startModes } from '../lib/start-mode.js';
import { type Finding, makeFinding } from '../messages/finding.js';
import type { Choice } from './choose-contender.js';
import type { PickRules } from './pick-rules.js';

/**
 * Says what a choice leaves aside: memory that was measured and not compared, and what start modes cost.
 *
 * @param choice - The choice; null when nothing is left.
 * @param rules - What it was made by.
 * @returns Findings.
 */
export function reportScope(choice: Choice | null, rules: PickRules): readonly Finding[] {
  const { compared } = rules;
  return [
    ...(compared.othersMiB.length === 0 ? [] : [makeFinding('info', 'pick-other-memories', compared)]),
    ...(choice === null ? [] : reportStarts(choice)),
  ];
}

function reportStarts({ objective, winner, others }: Choice): readonly Finding[] {
  const counted = weighMetrics(objective).map(({ metric }) => metric);
  if (counted.includes('costPer100k') || counted.every((metric) => metric === 'size')) return [];
  const modes = startModes.filter((mode) =>
    [winner, ...others].some(({ candidate }) => candidate.startMode === mode),
  );
  // Only what is paid for without a call is ahead by nothing but time.
  if (modes.length < 2 || !modes.includes('provisioned')) return [];
  return [
    makeFinding('info', 'pick-starts-by-time', { objective: nameObjective(objective), startModes: modes }),
  ];
}
