import { quietContext, type WorkContext } from '../../lib/work-context.js';
import { OptimiseModelError } from '../../messages/error.js';
import type { ImportOptions } from './import-options.js';
import type { ImportResult } from './import-result.js';
import { joinRecords, type PlacedRecord } from './join-records.js';
import { listImportFindings } from './list-import-findings.js';
import { type MeasuredInvocation, measureInvocation } from './measure-invocation.js';
import { parseMessage } from './parse-message.js';
import { parseTrace } from './parse-traces.js';
import { readExport } from './read-export.js';
import { type ExportContent, splitEvents } from './split-events.js';
import { listEnvironments, summariseImport } from './summarise-import.js';

/** What one file gave. */
export type ReadFile = {
  readonly file: string;
  readonly records: readonly PlacedRecord[];
  /** Events or traces that say nothing of an invocation. */
  readonly ignored: number;
};

/**
 * Brings real runs on Lambda into the shape of our own measurements: the study's six metrics per function, memory and
 * start mode, and what passed before the process existed.
 *
 * @param options - Exports of CloudWatch Logs and X-Ray.
 * @param context - Signal.
 * @returns Rows with spreads, cold and warm told apart; raw figures of each invocation.
 * @throws `file-system-refused`, `import-file-wrong`, `import-record-wrong`, `import-record-twice`,
 *   `import-nothing-found`; `import-fields-missing` names every field that no record has; `import-nothing-left` when
 *   every invocation had to be left out.
 */
export async function importLambdaRuns(
  options: ImportOptions,
  context: WorkContext = quietContext(),
): Promise<ImportResult> {
  const files: ReadFile[] = [];
  for (const file of options.files) {
    const text = await readExport(file, context.signal);
    files.push(readRecords(splitEvents(text, file), file));
  }
  const joined = joinRecords(files.flatMap(({ records }) => dropEmulatedInit(records)));
  if (joined.length === 0) {
    const ignored = files.reduce((sum, file) => sum + file.ignored, 0);
    throw OptimiseModelError.of('import-nothing-found', { files: options.files, ignored });
  }
  const measured = joined.map((each) => measureInvocation(each, options.functionName));
  const missing = measured.flatMap((each) => (each.kind === 'incomplete' ? each.missing : []));
  if (missing.length > 0 && !options.skipIncomplete) {
    throw OptimiseModelError.of('import-fields-missing', { missing });
  }
  refuseUnlessAnyLeft(measured);
  return makeResult(files, measured);
}

/** Empty tables would look like a result. */
function refuseUnlessAnyLeft(measured: readonly MeasuredInvocation[]): void {
  if (measured.some(({ kind }) => kind === 'measured' || kind === 'failed')) return;
  const missing = measured.flatMap((each) => (each.kind === 'incomplete' ? [each.missing] : []));
  const fields = [...new Set(missing.flat().map(({ field }) => field))];
  const early = measured.length - missing.length;
  throw OptimiseModelError.of('import-nothing-left', { incomplete: missing.length, fields, early });
}

function makeResult(files: readonly ReadFile[], measured: readonly MeasuredInvocation[]): ImportResult {
  const invocations = measured.flatMap((each) => (each.kind === 'measured' ? [each.invocation] : []));
  const failed = measured.flatMap((each) => (each.kind === 'failed' ? [each] : []));
  const rows = summariseImport(invocations, failed);
  return {
    rows,
    invocations,
    environments: listEnvironments(rows),
    files: files.map(({ file, records, ignored }) => ({ file, records: records.length, ignored })),
    findings: listImportFindings(files, measured),
  };
}

function readRecords(content: ExportContent, file: string): ReadFile {
  if ('traces' in content) {
    const found = content.traces.map((trace, index) => {
      const place = { file, record: index + 1 };
      return parseTrace(trace, place).map((record) => ({ place, stream: file, functionName: null, record }));
    });
    return { file, records: found.flat(), ignored: found.filter((each) => each.length === 0).length };
  }
  const records = content.events.flatMap(({ place, stream, functionName, message }) => {
    const record = parseMessage(message, place);
    return record === null ? [] : [{ place, stream, functionName, record }];
  });
  return { file, records, ignored: content.events.length - records.length };
}

/** One line of the emulator betrays the others of its file, which have no field in an odd place. */
function dropEmulatedInit(records: readonly PlacedRecord[]): readonly PlacedRecord[] {
  const isEmulated = records.some(({ record }) => record.kind === 'report' && record.isEmulated);
  if (!isEmulated) return records;
  return records.map((item) =>
    item.record.kind === 'report'
      ? { ...item, record: { ...item.record, maxMemoryMiB: null, initMs: null, isEmulated } }
      : item,
  );
}
