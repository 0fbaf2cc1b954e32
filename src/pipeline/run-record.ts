import { existsSync } from 'node:fs';
import { readdir, readFile, rename, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { hashToolCode } from '../lib/hash-tool-code.js';
import { printJson } from '../lib/json.js';
import { toolVersion } from '../lib/tool-version.js';
import { writeFileAtomically } from '../lib/write-atomically.js';
import { OptimiseModelError } from '../messages/error.js';
import { type Finding, makeFinding } from '../messages/finding.js';
import type { Pipeline } from './read-pipeline.js';
import type { StepVerdict } from './step.js';

/** One finished step as it is kept. */
export type StepRecord = {
  readonly verb: string;
  readonly subject: string;
  /** SHA-256 over verb, subject, options, input digests and tool version. */
  readonly key: string;
  readonly output: unknown;
  readonly line: string;
  readonly findings: readonly Finding[];
  readonly verdict: StepVerdict;
  /** How long the work took when it was done, milliseconds. */
  readonly durationMs: number;
  /** UTC, ISO 8601. */
  readonly finishedAt: string;
};

/** A step of the last run; `reused` when an earlier run had done it. */
type ReachedStep = { readonly verb: string; readonly subject: string; readonly reused: boolean };

/** The content of `run.json`: what a run was asked and every step that it finished. */
export type RunRecord = {
  readonly schemaVersion: 1;
  readonly kind: 'run';
  readonly name: string;
  readonly toolVersion: string;
  /** Hash of the code that wrote it. */
  readonly code: string;
  readonly pipeline: Pipeline;
  readonly startedAt: string;
  /** The steps that the last run came to, in order; only these belong together. */
  readonly reached: readonly ReachedStep[];
  /** Every step that is remembered, also from earlier runs. */
  readonly steps: readonly StepRecord[];
};

const fileName = 'run.json';

/** A run that begins: its record, not yet written, and what became of a record that could not be used. */
export type OpenedRecord = {
  readonly record: RunRecord;
  readonly setAside: Finding | null;
};

/**
 * Starts the record of a run, with the steps that an earlier run of the same folder finished.
 *
 * It is only what saves work: one that is damaged is put aside, and every step is done anew.
 *
 * @param pipeline - What is run.
 * @param startedAt - When, UTC.
 * @returns The record.
 * @throws run-folder-taken when the folder is of another pipeline file that is still there.
 */
export async function openRunRecord(pipeline: Pipeline, startedAt: Date): Promise<OpenedRecord> {
  const earlier = await readEarlier(pipeline.output);
  const other = earlier.record?.pipeline.path;
  // A copy of a whole project brings its records along: they name the original's folder, not this one.
  const isOfHere = earlier.recordedOutput === resolve(pipeline.output);
  if (isOfHere && other !== undefined && other !== pipeline.path && existsSync(other)) {
    const facts = { folder: pipeline.output, pipeline: pipeline.path, other };
    throw OptimiseModelError.of('run-folder-taken', facts);
  }
  const record: RunRecord = {
    schemaVersion: 1,
    kind: 'run',
    name: pipeline.name,
    toolVersion,
    code: hashToolCode(),
    pipeline,
    startedAt: startedAt.toISOString(),
    reached: [],
    steps: earlier.record?.steps ?? [],
  };
  return { record, setAside: earlier.setAside };
}

type Earlier = {
  readonly record: RunRecord | undefined;
  /** The run folder that the record itself names. */
  readonly recordedOutput: string | undefined;
  readonly setAside: Finding | null;
};

async function readEarlier(folder: string): Promise<Earlier> {
  const path = join(folder, fileName);
  const nothing = { record: undefined, recordedOutput: undefined };
  if (!existsSync(path)) return { ...nothing, setAside: null };
  try {
    return { ...(await readAnyRecord(folder)), setAside: null };
  } catch (error) {
    if (!(error instanceof OptimiseModelError)) throw error;
    await rename(path, `${path}.unusable`);
    const facts = { path: `${path}.unusable`, reason: String(error.facts.reason) };
    return { ...nothing, setAside: makeFinding('warning', 'run-record-set-aside', facts) };
  }
}

/**
 * Reads the record of a run whose results are to be shown or gone on with as they are.
 *
 * @param folder - The run folder.
 * @returns The record.
 * @throws run-record-unreadable when it is damaged, of another kind, or written by another version of this tool.
 */
export async function readRunRecord(folder: string): Promise<RunRecord> {
  const { record } = await readAnyRecord(folder);
  if (record.code !== hashToolCode()) {
    const reason = `it was written by other code (version ${record.toolVersion}, this is ${toolVersion})`;
    throw OptimiseModelError.of('run-record-unreadable', { path: join(folder, fileName), reason });
  }
  return record;
}

async function readAnyRecord(
  folder: string,
): Promise<{ readonly record: RunRecord; readonly recordedOutput: string }> {
  const path = join(folder, fileName);
  const { runRecordSchema } = await import('./run-record-schema.js');
  try {
    const { pipeline, ...rest } = runRecordSchema.parse(JSON.parse(await readFile(path, 'utf8')));
    // A run folder may have been moved or copied since: it is the run's output wherever it is now.
    const record = { ...rest, pipeline: { ...pipeline, output: resolve(folder) } } as unknown as RunRecord;
    return { record, recordedOutput: pipeline.output };
  } catch (error) {
    const isForm = error instanceof Error && error.name === '$ZodError';
    const reason = isForm ? 'it is no run record' : (error as Error).message;
    throw OptimiseModelError.of('run-record-unreadable', { path, reason }, error);
  }
}

/**
 * Writes the record in one piece.
 *
 * @param record - The record; it goes into its pipeline's run folder.
 */
export async function writeRunRecord(record: RunRecord): Promise<void> {
  await writeFileAtomically(join(record.pipeline.output, fileName), `${printJson(record)}\n`);
}

/**
 * Finds the run folder that a word on the command line means.
 *
 * @param named - A run folder, a name under `artifacts/`, or nothing for the newest run there.
 * @param folder - The current folder.
 * @returns Absolute path of the run folder.
 * @throws run-not-found.
 */
export async function findRunFolder(named: string | undefined, folder: string): Promise<string> {
  const artifacts = join(folder, 'artifacts');
  const known = await listRuns(artifacts);
  if (named === undefined) {
    const [newest] = known;
    if (newest === undefined) throw OptimiseModelError.of('run-not-found', { run: artifacts, known });
    return join(artifacts, newest);
  }
  const found = [resolve(folder, named), join(artifacts, named)].find((path) =>
    existsSync(join(path, fileName)),
  );
  if (found === undefined) throw OptimiseModelError.of('run-not-found', { run: named, known });
  return found;
}

/** Names under `artifacts/` that hold a run record, newest first. */
async function listRuns(artifacts: string): Promise<readonly string[]> {
  if (!existsSync(artifacts)) return [];
  const names = (await readdir(artifacts)).filter((name) => existsSync(join(artifacts, name, fileName)));
  const dated = await Promise.all(
    names.map(async (name) => ({ name, changedMs: (await stat(join(artifacts, name, fileName))).mtimeMs })),
  );
  return dated.sort((left, right) => right.changedMs - left.changedMs).map((run) => run.name);
}
