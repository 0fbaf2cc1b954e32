import { defineMessage } from './message.js';

type Place = { file: string; record: number };
type MissingField = Place & { requestId: string; field: string; provider: string };

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
const at = (place: Place) => `${place.file}, record ${place.record}`;

/** The first invocation field by field; of the others, how many they are and what they lack. */
function nameMissing(missing: readonly MissingField[]): string {
  const [first] = missing;
  if (first === undefined) return 'Nothing is missing.';
  const isFirst = (item: MissingField) => item.requestId === first.requestId;
  const fields = missing.filter(isFirst).map((item) => `${item.field} (given by ${item.provider})`);
  const others = missing.filter((item) => !isFirst(item));
  const count = new Set(others.map((item) => item.requestId)).size;
  const words = [...new Set(others.map((item) => item.field))].join(', ');
  const rest = count === 0 ? '' : ` ${count === 1 ? 'Another lacks' : `${count} others lack`} ${words}.`;
  return `Request ${first.requestId} (${at(first)}) lacks ${fields.join('; ')}.${rest}`;
}

/** What keeps logs of real runs from being read. */
const importErrors = {
  'import-file-wrong': defineMessage<{ file: string; seen: string; expected: string }>({
    exit: 2,
    what: (facts) => `${facts.file} is ${facts.seen}; expected ${facts.expected}.`,
    remedy: () =>
      'Export it again with `aws logs filter-log-events --log-group-name GROUP`, `aws xray batch-get-traces --trace-ids IDS`, or Logs Insights with `fields @timestamp, @log, @logStream, @message`.',
  }),
  'import-document-unreadable': defineMessage<{ file: string; reason: string }>({
    exit: 2,
    what: (facts) =>
      `Could not read ${facts.file}: ${facts.reason}; expected the document of \`optimise-model bench import … --json\`.`,
    remedy: () => 'Write it: `optimise-model bench import EXPORTS… --json > FILE`, and name that file.',
  }),
  'import-document-wrong': defineMessage<{ file: string; seen: string; field: string | null }>({
    exit: 2,
    what: (facts) =>
      `${facts.file} is ${facts.seen}${facts.field === null ? '' : ` (at ${facts.field})`}; expected the document of \`optimise-model bench import … --json\`.`,
    remedy: () => 'Write it anew: `optimise-model bench import EXPORTS… --json > FILE`, and name that file.',
  }),
  'import-record-wrong': defineMessage<Place & { field: string; seen: string; expected: string }>({
    exit: 2,
    what: (facts) => `${at(facts)}: ${facts.field} is ${facts.seen}; expected ${facts.expected}.`,
    remedy: () => 'Export this record again, or remove it from the file if its invocation is not to count.',
  }),
  'import-record-twice': defineMessage<Place & { requestId: string; kind: string }>({
    exit: 2,
    what: (facts) =>
      `${at(facts)}: request ${facts.requestId} already has another ${facts.kind} record, which says otherwise.`,
    remedy: () =>
      'Give each run’s exports by themselves, and set the function’s retry attempts to 0 (`aws lambda put-function-event-invoke-config --maximum-retry-attempts 0`): a retry has the same request id.',
  }),
  'import-nothing-found': defineMessage<{ files: readonly string[]; ignored: number }>({
    exit: 2,
    what: (facts) =>
      `No record of an invocation was found in ${facts.files.join(', ')}; ${facts.ignored} of other kinds ${facts.ignored === 1 ? 'was' : 'were'} ignored.`,
    remedy: () =>
      'Name exports that hold lines of a handler of pipelines/lambda or of the loader, or X-Ray traces, beside the REPORT lines or platform.report events of the same calls.',
  }),
  'import-nothing-left': defineMessage<{ incomplete: number; fields: readonly string[]; early: number }>({
    exit: 2,
    what: ({ incomplete, fields, early }) => {
      const reasons = [
        ...(incomplete === 0
          ? []
          : [`${incomplete} ${incomplete === 1 ? 'lacks' : 'lack'} ${fields.join(', ')}`]),
        ...(early === 0 ? [] : [`${early} met a process that Lambda had started before the call`]),
      ];
      return `None of ${count(incomplete + early, 'invocation')} is left: ${reasons.join(', and ')}.`;
    },
    remedy: () =>
      'Add the exports that have what is missing: the lines of the loader or of a handler of pipelines/lambda, or X-Ray traces, of the same calls. Run without `--skip-incomplete` to see each missing field and what provides it.',
  }),
  'import-fields-missing': defineMessage<{ missing: readonly MissingField[] }>({
    exit: 2,
    what: ({ missing }) => nameMissing(missing),
    remedy: () =>
      'Add the export that has it, or leave such invocations out with `--skip-incomplete`; nothing that is missing is taken as 0.',
  }),
};

/** What has to be known to read imported figures. */
const importFindings = {
  'import-lines-ignored': defineMessage<{ ignored: number; files: number }>({
    exit: 0,
    what: (facts) =>
      `${count(facts.ignored, 'record')} in ${facts.files === 1 ? 'the file' : `${facts.files} files`} ${facts.ignored === 1 ? 'is of another kind and was' : 'are of other kinds and were'} ignored.`,
    remedy: () => 'Do nothing if the functions log other things as well.',
  }),
  'import-emulated': defineMessage<{ file: string }>({
    exit: 0,
    what: (facts) =>
      `${facts.file} comes from the runtime interface emulator, whose Init Duration and Max Memory Used are no measurements; they were not read.`,
    remedy: () => 'Import logs of Lambda itself before you decide by these figures.',
  }),
  'import-incomplete-skipped': defineMessage<{
    skipped: number;
    invocations: number;
    fields: readonly string[];
  }>({
    exit: 0,
    what: (facts) =>
      `${facts.skipped} of ${count(facts.invocations, 'invocation')} ${facts.skipped === 1 ? 'was left out because it lacks' : 'were left out because they lack'} ${facts.fields.join(', ')}.`,
    remedy: () => 'Run without `--skip-incomplete` to see each missing field and what provides it.',
  }),
  'import-calls-failed': defineMessage<{
    failures: number;
    invocations: number;
    functionName: string;
    why: string;
  }>({
    exit: 0,
    what: (facts) =>
      `${facts.failures} of ${count(facts.invocations, 'invocation')} failed, the first of ${facts.functionName} with ${facts.why}; figures stand for the others only.`,
    remedy: () => 'Mend the function by its log, then measure again.',
  }),
  'import-started-early': defineMessage<{ requestIds: readonly string[] }>({
    exit: 0,
    what: (facts) =>
      `${count(facts.requestIds.length, 'first call')} met a process that Lambda had started before the call, or the caller’s clock is ahead; ${facts.requestIds.length === 1 ? 'it was' : 'they were'} left out (first: request ${facts.requestIds[0]}).`,
    remedy: () => 'Import X-Ray traces too, which time the call by Lambda’s own clock, and call again.',
  }),
};

/** Messages about logs of real runs. */
export const importMessages = { ...importErrors, ...importFindings };
