import { defineMessage } from './message.js';

/** One thing wrong in a pipeline file; line and column count from 1 and are absent where nothing stands. */
export type PipelineProblem = {
  readonly path: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly problem: string;
  readonly suggestion: string | null;
};

/** More at once help nobody. */
const shownProblems = 8;

function describeProblem(problem: PipelineProblem): string {
  const place = problem.line === null ? '' : `line ${problem.line}, column ${problem.column}: `;
  const suggestion = problem.suggestion === null ? '' : `; did you mean \`${problem.suggestion}\`?`;
  return `\n  ${place}${problem.problem}${suggestion}`;
}

function explainHold(verdict: string, neededSamples: number | null): string {
  if (verdict === 'fail')
    return 'the lowest total is higher than `bench.baseline.maxSlowdown` accepts against';
  if (verdict === 'not-comparable') return 'nothing could be compared with';
  return neededSamples === null
    ? 'the samples do not tell whether the lowest total is higher than accepted against'
    : `fewer than ${neededSamples} samples of a row cannot be compared with those of`;
}

function orderRelease(verdict: string, neededSamples: number | null): string {
  const publishAnyway = 'or leave out `bench.baseline` to publish all the same';
  if (verdict === 'fail')
    return `Mend what became slower, or accept more with \`bench.baseline.maxSlowdown\`, then run again; ${publishAnyway}.`;
  if (verdict === 'not-comparable')
    return `Mend what the finding \`bench-baseline-not-comparable\` names, then run again; ${publishAnyway}.`;
  return neededSamples === null
    ? `Raise \`bench.runs\` (\`--runs\`) on a machine that does nothing else, then run again; ${publishAnyway}.`
    : `Set \`bench.runs\` (\`--runs\`) to ${neededSamples} or more, then run again; ${publishAnyway}.`;
}

/** Pipeline files, run folders and steps. */
export const pipelineMessages = {
  'pipeline-not-found': defineMessage<{ path: string; known: readonly string[] }>({
    exit: 2,
    what: (facts) => `No pipeline file at ${facts.path}.`,
    remedy: (facts) =>
      facts.known.length === 0
        ? 'Write one, or name an existing file: `optimise-model run PATH.yaml`.'
        : `Name one of these: ${facts.known.join(', ')}.`,
  }),
  'pipeline-is-no-text': defineMessage<{ path: string; isModel: boolean }>({
    exit: 2,
    what: (facts) =>
      facts.isModel
        ? `${facts.path} is a model, not a pipeline file.`
        : `${facts.path} is no text, so it is no pipeline file.`,
    remedy: (facts) =>
      facts.isModel
        ? 'Name it as `model:` in a pipeline file and run that, or use `optimise-model convert` or `inspect`.'
        : 'Name a YAML file: `optimise-model run PATH.yaml`.',
  }),
  'run-folder-taken': defineMessage<{ folder: string; pipeline: string; other: string }>({
    exit: 2,
    what: (facts) =>
      `The run folder ${facts.folder} belongs to ${facts.other}, another pipeline of the same name as ${facts.pipeline}.`,
    remedy: () => 'Give one of them another `name`, or this run another folder with `--output`.',
  }),
  'pipeline-not-named': defineMessage<{ known: readonly string[]; folder: string }>({
    exit: 2,
    what: (facts) =>
      facts.known.length === 0
        ? `No pipeline was named and ${facts.folder} holds none.`
        : `No pipeline was named and ${facts.folder} holds ${facts.known.length}.`,
    remedy: (facts) =>
      facts.known.length === 0
        ? 'Write a pipeline file and name it: `optimise-model run PATH.yaml`.'
        : `Name one: \`optimise-model run ${facts.known[0]}\` (there are ${facts.known.join(', ')}).`,
  }),
  'pipeline-invalid': defineMessage<{ path: string; problems: readonly PipelineProblem[] }>({
    exit: 2,
    what: (facts) =>
      `${facts.path} has ${facts.problems.length === 1 ? 'a problem' : `${facts.problems.length} problems`}:` +
      facts.problems.slice(0, shownProblems).map(describeProblem).join('') +
      (facts.problems.length > shownProblems ? `\n  and ${facts.problems.length - shownProblems} more` : ''),
    remedy: () =>
      'Mend the file; the schema `optimise-model/schema/pipeline.json` of this package describes every key.',
  }),
  'run-not-found': defineMessage<{ run: string; known: readonly string[] }>({
    exit: 2,
    what: (facts) => `No run record for ${facts.run}.`,
    remedy: (facts) =>
      facts.known.length === 0
        ? 'Make a run first: `optimise-model run PIPELINE`.'
        : `Name one of these runs: ${facts.known.join(', ')}.`,
  }),
  'run-record-unreadable': defineMessage<{ path: string; reason: string }>({
    exit: 2,
    what: (facts) => `The run record ${facts.path} cannot be used: ${facts.reason}.`,
    remedy: () =>
      'Run the pipeline again: `optimise-model run PIPELINE` does what is missing and writes it anew.',
  }),
  'run-record-set-aside': defineMessage<{ path: string; reason: string }>({
    exit: 0,
    what: (facts) => `The run record could not be used (${facts.reason}); it is now ${facts.path}.`,
    remedy: (facts) => `Remove ${facts.path} when you do not need it: every step was done anew.`,
  }),
  'run-held-back': defineMessage<{
    release: string | null;
    verdict: string;
    neededSamples: number | null;
  }>({
    exit: 4,
    what: (facts) =>
      `Nothing was published and current.json stays as it is: ${explainHold(facts.verdict, facts.neededSamples)} ${facts.release === null ? 'the release of `bench.baseline`' : `release ${facts.release}`}.`,
    remedy: (facts) => orderRelease(facts.verdict, facts.neededSamples),
  }),
  'run-held-back-left-out': defineMessage<{
    release: string;
    variant: string;
    /** Of the error that kept the variant from being made, with its remedy. */
    code: string;
    reason: string;
    remedy: string;
  }>({
    exit: 4,
    what: (facts) =>
      `Nothing was published and current.json stays as it is: release ${facts.release} ships ${facts.variant}, which could not be made here: ${facts.reason}.`,
    remedy: (facts) =>
      `${facts.remedy} Then run again; or take ${facts.variant} out of \`variants\` in the pipeline to ship another one.`,
  }),
  'variants-left-out': defineMessage<{
    variants: readonly string[];
    /** Of the error that kept them from being made, with its words. */
    code: string;
    reason: string;
    remedy: string;
  }>({
    exit: 3,
    what: (facts) => `The run went on without ${facts.variants.join(', ')}: ${facts.reason}`,
    remedy: (facts) => facts.remedy,
  }),
  'run-in-progress': defineMessage<{ folder: string; pid: number }>({
    exit: 3,
    what: (facts) => `Process ${facts.pid} is already running in ${facts.folder}.`,
    remedy: () => 'Wait until it has finished, or give this run another folder with `--output`.',
  }),
  'step-missing': defineMessage<{ run: string; verb: string }>({
    exit: 2,
    what: (facts) => `The run ${facts.run} has no finished ${facts.verb} step.`,
    remedy: (facts) => `Finish it first: \`optimise-model run ${facts.run}\`.`,
  }),
};
