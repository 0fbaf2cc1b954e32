import type { JsonValue } from '../lib/json.js';
import type { Step } from '../pipeline/step.js';
import { type CheckOptions, type CheckResult, checkBudgets } from './check-budgets.js';
import type { MeasuredFile } from './measured-file.js';

/** What the step is made from: the options, and the digest of each artifact by subject. */
export type CheckStepOptions = CheckOptions & {
  readonly artifactDigests: Readonly<Record<string, string>>;
};

/**
 * Makes the step that holds all variants against their budgets.
 *
 * Nothing stays on disk, so a recorded result is good as long as the key is.
 *
 * @param options - As {@link checkBudgets} takes them, and the artifacts' digests.
 * @returns The step.
 */
export function checkStep(options: CheckStepOptions): Step<CheckResult> {
  return {
    verb: 'check',
    subject: '',
    key: keyOf(options),
    ensures: () => Promise.resolve(true),
    call: async (context) => {
      const output = await checkBudgets(options, context);
      const fitting = output.rows.filter((row) => row.verdict === 'pass').length;
      const verdict = fitting === output.rows.length ? 'ok' : fitting > 0 ? 'partly' : 'no';
      return { output, line: describeCheck(output), findings: output.findings, verdict };
    },
  };
}

/** Sizes and names only: where files lie on this machine does not change the outcome. */
function keyOf({
  artifacts,
  artifactDigests,
  deliveries,
  mountMode,
  limits,
  shipped,
}: CheckStepOptions): JsonValue {
  return {
    artifacts: artifacts.map(
      ({ subject, engine, layout, sizeBytes, expandedSizeBytes, sessionSizeBytes, files }) => ({
        subject,
        engine,
        layout,
        digest: artifactDigests[subject] ?? null,
        sizeBytes,
        expandedSizeBytes,
        sessionSizeBytes,
        files: listFiles(files),
      }),
    ),
    deliveries,
    mountMode,
    limits,
    shipped: shipped.map(({ engine, layouts, pack, missing, loaderFiles }) => ({
      engine,
      layouts,
      pack: pack && { version: pack.version, files: listFiles(pack.files) },
      missing,
      loaderFiles: listFiles(loaderFiles),
    })),
  };
}

function listFiles(files: readonly MeasuredFile[]): JsonValue {
  return files.map(({ path, sizeBytes }) => ({ path, sizeBytes }));
}

function describeCheck({ rows }: CheckResult): string {
  const failed = rows.filter((row) => row.verdict !== 'pass');
  const passed = `${rows.length - failed.length} of ${rows.length} fit`;
  if (failed.length === 0) return passed;
  return `${passed}; not: ${failed.map((row) => `${row.variantId} by ${row.delivery}`).join(', ')}`;
}
