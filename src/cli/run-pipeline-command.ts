import type { Command } from 'commander';
import { type Metric, type RunVerb, runVerbs } from '../api/choices.js';
import type { Pipeline, RunOptions } from '../api/run.js';
import { commander } from './commander.js';
import type { Perform } from './load-commands.js';
import { addObjectOptions, type ObjectFlags } from './object-options.js';
import { addOpenvinoOption } from './openvino-option.js';
import { repeatable } from './parse-choices.js';
import { metricWords, parseMetric } from './parse-objective.js';
import { parsePositiveInteger, parseWholeNumber } from './parse-option.js';
import { printResolvedPipeline } from './print-pipeline.js';
import type { CommandOutcome, CommandSession } from './run-command.js';
import { makeStepPrinter } from './step-lines.js';
import { readUnconditional, unconditionalOption } from './unconditional-option.js';

type Flags = ObjectFlags & {
  readonly model?: string;
  readonly to?: string;
  readonly output?: string;
  readonly runs?: number;
  readonly warm?: number;
  readonly threads?: number;
  readonly objective?: Metric;
  readonly unconditional?: true;
  readonly redo?: readonly RunVerb[];
  readonly expect?: string;
  readonly dryRun?: true;
};

/**
 * Adds `run [PIPELINE]`.
 *
 * @param program - The program.
 * @param perform - Runs the body.
 */
export function addRunCommand(program: Command, perform: Perform): void {
  const command = program
    .command('run')
    .summary('do all steps of a pipeline, and reuse what is already done')
    .description(
      'Converts, proves, checks, stages, measures, picks and publishes what a pipeline file describes, and writes the ' +
        'run record and the reports. Exit 1 when no candidate is left, or another one is picked than --expect names: nothing is published then. With `bench.baseline` nothing is published when ' +
        'the lowest total is slower than accepted (exit 1) or that could not be judged (exit 4), and nothing in place of a release whose variant this machine cannot make (exit 4). Flags win over ' +
        'environment variables, these over the file.',
    )
    .argument('[pipeline]', 'a name in pipelines/, or the path of a .yaml file');
  addOpenvinoOption(addObjectOptions(addPipelineOptions(command)))
    .addOption(repeatable('--redo <step>', 'do this step again even if nothing changed', runVerbs))
    .option(
      '--expect <name>',
      'VARIANT[:DELIVERY[:START]], or recorded, what the current release has, else the last run: publish nothing, exit 1 when another one is picked',
    )
    .option('--dry-run', 'print the resolved pipeline and do nothing')
    .action((named: string | undefined, flags: Flags) =>
      perform('run', async (session) => {
        const { findPipelineFile, readPipeline, refuseWrongLibrary, resolveWays } = await import(
          '../api/run.js'
        );
        const { redo = [], expect, dryRun, partSize: partSizeMiB, tag: tags, ...others } = flags;
        const unconditional = readUnconditional(others.unconditional, process.env);
        const overrides = { ...others, partSizeMiB, tags, unconditional };
        const pipeline = await readPipeline(await findPipelineFile(named, process.cwd()), overrides);
        if (dryRun === true) {
          resolveWays(pipeline);
          await refuseWrongLibrary(pipeline);
          return printResolvedPipeline(pipeline);
        }
        return runAndReport(pipeline, { redo, ...(expect === undefined ? {} : { expect }) }, session);
      }),
    );
}

function addPipelineOptions(command: Command): Command {
  const option = (flags: string, env: string, text: string) =>
    new commander.Option(flags, text).env(`OPTIMISE_MODEL_${env}`);
  return command
    .addOption(option('--model <path>', 'MODEL', 'the exported ONNX model'))
    .addOption(option('--to <store>', 'TO', 's3://bucket/prefix or a folder'))
    .addOption(
      option('--output <folder>', 'OUTPUT', 'the run folder; without stage.to it holds the store as well'),
    )
    .addOption(
      option('--runs <n>', 'RUNS', 'samples per variant and delivery, each a new process').argParser(
        parsePositiveInteger,
      ),
    )
    .addOption(
      option('--warm <n>', 'WARM', 'inferences after the first, per sample').argParser(parseWholeNumber),
    )
    .addOption(
      option('--threads <n>', 'THREADS', 'threads inside one operator').argParser(parsePositiveInteger),
    )
    .addOption(
      option(
        '--objective <metric>',
        'OBJECTIVE',
        `what is minimised (choices: ${metricWords.join(', ')})`,
      ).argParser(parseMetric),
    )
    .addOption(unconditionalOption());
}

async function runAndReport(
  pipeline: Pipeline,
  how: Pick<RunOptions, 'redo' | 'expect'>,
  session: CommandSession,
): Promise<CommandOutcome> {
  const { isUnexpected, judgeRelease, makeRunView, renderRunText, runPipeline, writeReports } = await import(
    '../api/run.js'
  );
  const { context, terminal, say } = session;
  const outcome = await runPipeline(pipeline, { ...how, context, onStep: makeStepPrinter(session) });
  const view = makeRunView(outcome);
  const written = await writeReports(view, pipeline.output);
  const reused = outcome.steps.filter((step) => step.reused).length;
  if (reused > 0) say(`${reused} of ${outcome.steps.length} steps reused from an earlier run`);
  for (const file of written) say(`wrote ${file.path}`);
  const isWon = view.pick?.winner != null && !isUnexpected(outcome.notes);
  const text = renderRunText(view, terminal.text);
  return {
    status: isWon ? judgeRelease(outcome) : 'no',
    result: view,
    findings: view.findings,
    isReported: true,
    text,
  };
}
