import { join } from 'node:path';
import type { TuneResult } from './bench/tune/tune-result.js';
import { type ConversionOutput, explainLeftOut, type LeftOutVariant } from './leave-out-variant.js';
import { usualSessions } from './lib/session-options.js';
import { nameVariant } from './lib/variant.js';
import type { RunRecord, StepRecord } from './pipeline/run-record.js';
import type { RunOutcome, RunVariant } from './run-pipeline.js';

/**
 * Puts the outcome of the last run together from its record, without doing any work.
 *
 * @param record - From {@link readRunRecord}.
 * @returns The outcome, as far as the run came.
 */
export function restoreOutcome(record: RunRecord): RunOutcome {
  const steps = record.reached.flatMap(({ verb, subject, reused }) => {
    const step = record.steps.find((item) => item.verb === verb && item.subject === subject);
    return step === undefined ? [] : [{ ...step, reused }];
  });
  // The record holds what the very same steps returned; the tool version is part of their keys.
  const outputOf = <Output>(verb: string, subject = '') =>
    (steps.find((step) => step.verb === verb && step.subject === subject)?.output ?? null) as Output | null;
  // What bench measured besides has subjects of its own.
  const outputsOf = <Output>(prefix: string) =>
    steps
      .filter((step) => step.verb === 'bench' && step.subject.startsWith(prefix))
      .map((step) => step.output as Output);
  const sessionsOf = (variantId: string) =>
    outputsOf<TuneResult>('tune ').find((tune) => tune.variantId === variantId)?.chosen ?? usualSessions;
  const { variants, leftOut } = restoreVariants(record.pipeline, outputOf, sessionsOf);
  const source = variants[0]?.record.provenance;
  return {
    pipeline: record.pipeline,
    model: {
      path: record.pipeline.model,
      sizeBytes: source?.sourceSizeBytes ?? 0,
      sha256: source?.sourceSha256 ?? '',
    },
    startedAt: record.startedAt,
    finishedAt: lastOf(steps) ?? record.startedAt,
    notes: explainLeftOut(leftOut),
    steps: steps.map(({ output: _output, key: _key, ...report }) => report),
    variants,
    leftOut,
    budgets: outputOf('check'),
    bench: outputOf('bench'),
    tunes: outputsOf('tune '),
    sweeps: outputsOf('sweep '),
    pick: outputOf('pick'),
    publish: outputOf('publish'),
  };
}

/** Looks up what the step of a verb and a subject returned. */
type FindOutput = <Output>(verb: string, subject?: string) => Output | null;

function restoreVariants(
  { variants: asked, output }: RunRecord['pipeline'],
  outputOf: FindOutput,
  sessionsOf: (variantId: string) => RunVariant['sessions'],
): Pick<RunOutcome, 'variants' | 'leftOut'> {
  const variants: RunVariant[] = [];
  const leftOut: LeftOutVariant[] = [];
  for (const askedId of asked.map((variant) => nameVariant(variant).id)) {
    const converted = outputOf<ConversionOutput>('convert', askedId);
    if (converted === null) continue;
    if ('leftOut' in converted) {
      leftOut.push(converted.leftOut);
      continue;
    }
    const { id } = converted.variant;
    // Two that were asked for may have become one.
    if (converted.record === null || variants.some((variant) => variant.id === id)) continue;
    const folder = join(output, 'variants', askedId);
    const parity = outputOf<NonNullable<RunVariant['parity']>>('validate', id);
    const staged = outputOf<NonNullable<RunVariant['staged']>>('stage', id);
    variants.push({
      ...{ id, folder, converted, record: converted.record, parity, staged },
      sessions: sessionsOf(id),
    });
  }
  return { variants, leftOut };
}

function lastOf(steps: readonly StepRecord[]): string | undefined {
  return steps
    .map((step) => step.finishedAt)
    .sort()
    .at(-1);
}
