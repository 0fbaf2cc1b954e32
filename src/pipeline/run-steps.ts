import { join } from 'node:path';
import { takeLock } from '../lib/exclusive-lock.js';
import { printCanonicalJson, printJson } from '../lib/json.js';
import { makeFolder } from '../lib/make-folder.js';
import { hashBytes } from '../lib/sha256.js';
import { toolVersion } from '../lib/tool-version.js';
import type { WorkContext } from '../lib/work-context.js';
import { OptimiseModelError } from '../messages/error.js';
import type { Finding } from '../messages/finding.js';
import type { Pipeline } from './read-pipeline.js';
import { openRunRecord, type RunRecord, type StepRecord, writeRunRecord } from './run-record.js';
import type { Step, StepOutcome } from './step.js';

/** What happened to a step in this run; `reused` when an earlier run had done it. */
export type StepReport = Omit<StepRecord, 'output' | 'key'> & { readonly reused: boolean };

/** Told about each step, so that people see one line per step. */
export type StepEvent =
  | { readonly kind: 'started'; readonly verb: string; readonly subject: string }
  | { readonly kind: 'finished'; readonly report: StepReport }
  | { readonly kind: 'failed'; readonly verb: string; readonly subject: string };

/** How steps are run. */
export type RunSettings = {
  readonly context: WorkContext;
  readonly onStep: (event: StepEvent) => void;
  /** Verbs that are done again even if nothing changed. */
  readonly redo: readonly string[];
  /**
   * What the record says was run, where steps are asked otherwise just once: then nothing is written before all of them
   * are done, so that what failed leaves the record as it was.
   */
  readonly recordAs: Pipeline | undefined;
  /** What results rest on besides options and inputs, such as this tool's code and the runtime: part of every key. */
  readonly versions: Readonly<Record<string, string>>;
};

/** Does steps one after another and remembers each as soon as it is finished. */
export type StepRunner = {
  readonly step: <Output>(step: Step<Output>) => Promise<Output>;
  /** What there is to say about the run itself. */
  readonly notes: readonly Finding[];
  /** What has happened so far, in order. */
  readonly reports: () => readonly StepReport[];
};

/**
 * Runs steps in a run folder: what is recorded with an equal key and still intact is reused, all else is done.
 *
 * A finished step is written down before the next one starts, so that a crash loses only the step that was running.
 *
 * @param pipeline - What is run, and where.
 * @param settings - Context, listener, and what to do again.
 * @param work - Asks the runner for one step after another.
 * @returns What `work` returned.
 * @throws run-in-progress, run-folder-taken, and whatever a step throws.
 */
export async function runSteps<Result>(
  pipeline: Pipeline,
  settings: RunSettings,
  work: (runner: StepRunner) => Promise<Result>,
): Promise<Result> {
  await makeFolder(pipeline.output);
  const lock = await takeLock(join(pipeline.output, 'run.lock'));
  if ('heldBy' in lock) {
    throw OptimiseModelError.of('run-in-progress', { folder: pipeline.output, pid: lock.heldBy });
  }
  try {
    const { record, setAside } = await openRunRecord(pipeline, new Date());
    const { runner, keep } = makeRunner(record, settings, setAside === null ? [] : [setAside]);
    const result = await work(runner);
    if (settings.recordAs !== undefined) await keep();
    return result;
  } finally {
    await lock.release();
  }
}

function makeRunner(
  opened: RunRecord,
  settings: RunSettings,
  notes: readonly Finding[],
): { readonly runner: StepRunner; readonly keep: () => Promise<void> } {
  const { recordAs } = settings;
  let record = recordAs === undefined ? opened : { ...opened, pipeline: recordAs };
  const reports: StepReport[] = [];
  const remember = async (done: StepRecord, reused: boolean) => {
    const { verb, subject, output: _output, key: _key, ...rest } = done;
    const others = record.steps.filter((item) => item.verb !== verb || item.subject !== subject);
    const reached = [...record.reached, { verb, subject, reused }];
    record = { ...record, reached, steps: [...others, done] };
    if (recordAs === undefined) await writeRunRecord(record);
    const report = { verb, subject, ...rest, reused };
    reports.push(report);
    settings.onStep({ kind: 'finished', report });
  };
  const step = async <Output>(asked: Step<Output>): Promise<Output> => {
    settings.context.signal.throwIfAborted();
    const key = keyOf(asked, settings.versions);
    const earlier = settings.redo.includes(asked.verb) ? undefined : findStep(record, asked, key);
    const kept = earlier !== undefined && (await asked.ensures(earlier.output as Output, settings.context));
    if (earlier !== undefined && kept !== false) {
      const known = kept === true ? earlier : { ...earlier, ...asRecorded(kept) };
      await remember(known, true);
      return known.output as Output;
    }
    const done = await perform(asked, key, settings);
    await remember(done, false);
    return done.output as Output;
  };
  const runner = { step, notes, reports: () => reports };
  return { runner, keep: () => writeRunRecord(record) };
}

type StepIdentity = Pick<Step<unknown>, 'verb' | 'subject' | 'key'>;

function keyOf(step: StepIdentity, versions: RunSettings['versions']): string {
  const { verb, subject, key } = step;
  return hashBytes(printCanonicalJson({ verb, subject, key, toolVersion, versions }));
}

function findStep(record: RunRecord, step: StepIdentity, key: string): StepRecord | undefined {
  return record.steps.find(
    (item) => item.verb === step.verb && item.subject === step.subject && item.key === key,
  );
}

async function perform<Output>(step: Step<Output>, key: string, settings: RunSettings): Promise<StepRecord> {
  const { verb, subject } = step;
  settings.onStep({ kind: 'started', verb, subject });
  const startedMs = performance.now();
  try {
    const outcome = asRecorded(await step.call(settings.context));
    const durationMs = performance.now() - startedMs;
    return { verb, subject, key, ...outcome, durationMs, finishedAt: new Date().toISOString() };
  } catch (error) {
    settings.onStep({ kind: 'failed', verb, subject });
    throw error;
  }
}

/** Later steps see what a resumed run would see: plain JSON. */
function asRecorded({ output, line, findings, verdict }: StepOutcome<unknown>): StepOutcome<unknown> {
  return JSON.parse(printJson({ output, line, findings, verdict }));
}

/**
 * Gathers what the steps of a run found, each finding once.
 *
 * @param reports - Steps of one run.
 * @returns Their findings in the order of the steps.
 */
export function collectFindings(reports: readonly StepReport[]): readonly Finding[] {
  const seen = new Set<string>();
  return reports
    .flatMap((report) => report.findings)
    .filter((finding) => {
      const key = `${String(finding.code)} ${finding.what}`;
      return seen.has(key) ? false : Boolean(seen.add(key));
    });
}
