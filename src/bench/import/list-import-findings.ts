import { type Finding, makeFinding } from '../../messages/finding.js';
import type { ReadFile } from './import-lambda-runs.js';
import type { MeasuredInvocation } from './measure-invocation.js';

/**
 * Says what has to be known to read imported figures.
 *
 * @param files - What was read.
 * @param measured - What each invocation came to.
 * @returns Findings; none of severity `error`.
 */
export function listImportFindings(
  files: readonly ReadFile[],
  measured: readonly MeasuredInvocation[],
): readonly Finding[] {
  const findings: Finding[] = [];
  const ignored = files.reduce((sum, file) => sum + file.ignored, 0);
  if (ignored > 0)
    findings.push(makeFinding('info', 'import-lines-ignored', { ignored, files: files.length }));
  const emulated = files.filter(({ records }) =>
    records.some(({ record }) => record.kind === 'report' && record.isEmulated),
  );
  for (const { file } of emulated) findings.push(makeFinding('warning', 'import-emulated', { file }));
  const incomplete = measured.flatMap((each) => (each.kind === 'incomplete' ? [each.missing] : []));
  if (incomplete.length > 0) {
    const fields = [...new Set(incomplete.flat().map(({ field }) => field))];
    const facts = { skipped: incomplete.length, invocations: measured.length, fields };
    findings.push(makeFinding('warning', 'import-incomplete-skipped', facts));
  }
  const failed = measured.flatMap((each) => (each.kind === 'failed' ? [each] : []));
  const [first] = failed;
  if (first !== undefined) {
    const facts = {
      failures: failed.length,
      invocations: measured.length,
      functionName: first.name.functionName,
      why: first.why,
    };
    findings.push(makeFinding('warning', 'import-calls-failed', facts));
  }
  const requestIds = measured.flatMap((each) => (each.kind === 'early' ? [each.requestId] : []));
  if (requestIds.length > 0) findings.push(makeFinding('warning', 'import-started-early', { requestIds }));
  return findings;
}
