import { shipPick } from './describe-shipment.js';
import { toolVersion } from './lib/tool-version.js';
import type { Finding } from './messages/finding.js';
import { collectFindings } from './pipeline/run-steps.js';
import type { RunView } from './report/run-view.js';
import type { RunOutcome } from './run-pipeline.js';

/**
 * Turns the outcome of a run into what reports and the JSON document show.
 *
 * @param outcome - From {@link runPipeline} or {@link restoreOutcome}.
 * @param imported - Real runs to be set beside its benchmark.
 * @returns The view; plain data.
 */
export function makeRunView(outcome: RunOutcome, imported: RunView['imported'] = []): RunView {
  const { pipeline, model, startedAt, finishedAt, steps, notes, variants, leftOut } = outcome;
  const { budgets, bench, tunes, sweeps, pick, publish } = outcome;
  return {
    name: pipeline.name,
    toolVersion,
    model,
    startedAt,
    finishedAt,
    steps: steps.map(({ verb, subject, line, verdict, reused, durationMs, finishedAt: doneAt }) => ({
      verb,
      subject,
      line,
      verdict,
      reused,
      durationMs,
      finishedAt: doneAt,
    })),
    variants: variants.map(({ id, converted, record }) => ({
      id,
      digest: record.digest,
      sizeBytes: record.sizeBytes,
      files: record.files.map(({ path, sizeBytes }) => ({ path, sizeBytes })),
      weightsFp16: converted.weights.storedAsFp16,
      weightsKeptFp32: converted.weights.keptFp32.length,
      castsAdded: converted.castsAdded,
      nodesFp16: converted.nodes.fp16,
      nodesAllowed: converted.nodes.allowed,
    })),
    leftOut: leftOut.map(({ variantId, code, reason, remedy }) => ({ variantId, code, reason, remedy })),
    parity: variants.flatMap(({ id, parity }) => (parity === null ? [] : [{ ...parity, variantId: id }])),
    budgets,
    bench,
    tunes,
    sweeps,
    imported,
    pick: pick && shipPick(outcome, pick),
    publish,
    findings: [
      ...notes,
      ...collectFindings(steps).map((finding) => (pick?.winner == null ? finding : soften(finding))),
    ],
  };
}

/** A variant that failed is no error of a run that has a winner; a gate that says no is. */
function soften(finding: Finding): Finding {
  const isOfVariant = finding.severity === 'error' && finding.code !== 'bench-slower-than-baseline';
  return isOfVariant ? { ...finding, severity: 'warning' } : finding;
}
