import { type Command, Option } from 'commander';
import { type Objective, objectives, type Pipeline, renderPickText } from '../index.js';
import { continueRun } from './continue-run.js';
import type { Perform } from './main.js';
import { refuseMissingStep } from './refuse-missing-step.js';

type Flags = {
  readonly objective?: Objective;
  readonly allowUnproven?: true;
  readonly allowOverBudget?: true;
};

/**
 * Adds `pick [RUN]`.
 *
 * @param program - The program.
 * @param perform - Runs the body.
 */
export function addPickCommand(program: Command, perform: Perform): void {
  program
    .command('pick')
    .summary('choose the artifact and delivery to ship, and say why the others lost')
    .description(
      'Chooses among the candidates of a recorded run. Exit 1 when none is left. Earlier steps are reused where ' +
        'nothing changed.',
    )
    .argument('[run]', 'run folder, or a name under artifacts/; the newest run when left out')
    .addOption(new Option('--objective <objective>', 'what is minimised').choices(objectives))
    .option('--allow-unproven', 'variants whose parity is not proven may win too')
    .option('--allow-over-budget', 'candidates over a budget may win too')
    .action((run: string | undefined, flags: Flags) =>
      perform('pick', async (session) => {
        const how = {
          until: 'pick',
          redo: [],
          change: (pipeline: Pipeline) => changePick(pipeline, flags),
        } as const;
        const outcome = await continueRun(run, how, session);
        const result = refuseMissingStep(outcome, 'pick', outcome.pick);
        const text = renderPickText(result, { colour: session.terminal.colour });
        return { status: result.winner === null ? 'no' : 'ok', result, findings: result.findings, text };
      }),
    );
}

function changePick(pipeline: Pipeline, flags: Flags): Pipeline {
  const { objective, require } = pipeline.pick;
  return {
    ...pipeline,
    pick: {
      objective: flags.objective ?? objective,
      require: {
        parity: flags.allowUnproven ? 'any' : require.parity,
        budgets: flags.allowOverBudget ? 'any' : require.budgets,
      },
    },
  };
}
