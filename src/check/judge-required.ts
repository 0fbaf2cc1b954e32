import { resolve } from 'node:path';
import type { Delivery } from '../lib/delivery.js';
import { OptimiseModelError } from '../messages/error.js';
import { type Finding, makeFinding } from '../messages/finding.js';
import type { BudgetRow, CheckedArtifact, CheckResult } from './check-budgets.js';

/** Whether a check passes as a gate, and what stands in the way that no row says. */
export type GateJudgement = {
  readonly fits: boolean;
  /** Whether all that stands in the way is that something could not be judged. */
  readonly isUnjudged: boolean;
  readonly findings: readonly Finding[];
};

/** What has to fit; every row that is named. */
type Requirement = { readonly subjects: readonly string[]; readonly deliveries: readonly Delivery[] };

type Subject = Pick<CheckedArtifact, 'subject' | 'variantId' | 'path'>;

/**
 * Finds what a gate requires, before anything is measured against a limit.
 *
 * @param required - `VARIANT`, `PATH`, `DELIVERY`, `VARIANT:DELIVERY` or `PATH:DELIVERY`.
 * @param artifacts - What is checked.
 * @param deliveries - The deliveries that are checked.
 * @returns One requirement per entry.
 * @throws required-unknown when an entry names nothing that is checked: a gate that checks nothing must not pass;
 *   required-ambiguous when it can mean several things.
 */
export function resolveRequired(
  required: readonly string[],
  artifacts: readonly Subject[],
  deliveries: readonly Delivery[],
): readonly Requirement[] {
  return required.map((name) => {
    const meanings = listMeanings(name, artifacts, deliveries);
    const [only] = meanings;
    if (only === undefined) {
      const known = [...new Set([...artifacts.map(({ subject }) => subject), ...deliveries])];
      throw OptimiseModelError.of('required-unknown', { name, known });
    }
    if (meanings.length > 1) {
      throw OptimiseModelError.of('required-ambiguous', { name, meanings: meanings.map(({ what }) => what) });
    }
    return only;
  });
}

function listMeanings(
  name: string,
  artifacts: readonly Subject[],
  deliveries: readonly Delivery[],
): readonly (Requirement & { readonly what: string })[] {
  const all = artifacts.map(({ subject }) => subject);
  const ofDelivery = deliveries
    .filter((delivery) => delivery === name)
    .map((delivery) => ({ what: `the delivery ${delivery}`, subjects: all, deliveries: [delivery] }));
  const ofSubject = findSubjects(name, artifacts).map(({ subject, path }) => ({
    what: path,
    subjects: [subject],
    deliveries,
  }));
  const ofBoth = deliveries
    .filter((delivery) => name.endsWith(`:${delivery}`))
    .flatMap((delivery) =>
      findSubjects(name.slice(0, -delivery.length - 1), artifacts).map(({ subject, path }) => ({
        what: `${path}:${delivery}`,
        subjects: [subject],
        deliveries: [delivery],
      })),
    );
  return [...ofDelivery, ...ofSubject, ...ofBoth];
}

function findSubjects(name: string, artifacts: readonly Subject[]): readonly Subject[] {
  return artifacts.filter(({ variantId, path }) => variantId === name || resolve(path) === resolve(name));
}

/**
 * Decides whether a check passes as a gate.
 *
 * @param result - What was found per artifact and delivery.
 * @param required - What must fit, from {@link resolveRequired}.
 * @returns With nothing required, whether each artifact fits by at least one delivery that could be judged: `lazy` needs
 *   memory above all, so while the memory is not stated it carries no artifact alone. Else whether all that is required
 *   fits.
 */
export function judgeRequired(
  { rows, limits }: Pick<CheckResult, 'rows' | 'limits'>,
  required: readonly Requirement[],
): GateJudgement {
  if (required.length > 0) {
    const isRequired = ({ variantId, delivery }: BudgetRow) =>
      required.some((each) => each.subjects.includes(variantId) && each.deliveries.includes(delivery));
    const refused = rows.filter((row) => isRequired(row) && row.verdict !== 'pass');
    const isUnjudged = refused.length > 0 && refused.every((row) => row.verdict === 'unknown');
    return { fits: refused.length === 0, isUnjudged, findings: [] };
  }
  const isUncertain = (row: BudgetRow) => row.delivery === 'lazy' && limits.memoryBytes === null;
  const passing = rows.filter((row) => row.verdict === 'pass');
  const carried = new Set(passing.filter((row) => !isUncertain(row)).map((row) => row.variantId));
  const findings = passing
    .filter((row) => isUncertain(row) && !carried.has(row.variantId))
    .map(({ variantId }) => makeFinding('error', 'memory-not-stated', { variantId }));
  const refused = rows.filter((row) => !carried.has(row.variantId));
  const open = new Set(refused.filter((row) => row.verdict === 'unknown').map((row) => row.variantId));
  const isUnjudged = refused.length > 0 && refused.every((row) => open.has(row.variantId));
  return { fits: refused.length === 0, isUnjudged, findings };
}
