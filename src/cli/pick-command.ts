import type { Command } from 'commander';
import { type Metric, metrics } from '../api/choices.js';
import type { PickRules } from '../api/run.js';
import { commander } from './commander.js';
import { openRun } from './continue-run.js';
import type { Perform } from './load-commands.js';
import { refuseMissingStep } from './refuse-missing-step.js';

type Flags = {
  readonly objective?: Metric;
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
      'Chooses among the candidates of a recorded run, by its own rules or, as a question, by others: nothing is ' +
        'recorded, and `publish` ships what the pipeline file asks for. Exit 1 when no candidate is left.',
    )
    .argument('[run]', 'run folder, or a name under artifacts/; the newest run when left out')
    .addOption(new commander.Option('--objective <objective>', 'what is minimised').choices(metrics))
    .option('--allow-unproven', 'variants whose parity is not proven may win too')
    .option('--allow-over-budget', 'candidates over a budget may win too')
    .action((run: string | undefined, flags: Flags) =>
      perform('pick', async (session) => {
        const { pickAgain, restoreOutcome, rulesOf } = await import('../api/run.js');
        const { renderPickText } = await import('../api/bench.js');
        const outcome = restoreOutcome(await openRun(run, session));
        refuseMissingStep(outcome, 'bench', outcome.bench);
        const result = pickAgain(outcome, chooseRules(rulesOf(outcome.pipeline), flags));
        const text = renderPickText(result, session.terminal.text);
        return { status: result.winner === null ? 'no' : 'ok', result, findings: result.findings, text };
      }),
    );
}

function chooseRules(rules: PickRules, flags: Flags): PickRules {
  const { objective, require } = rules;
  return {
    ...rules,
    objective: flags.objective ?? objective,
    require: {
      ...require,
      parity: flags.allowUnproven ? 'any' : require.parity,
      budgets: flags.allowOverBudget ? 'any' : require.budgets,
    },
  };
}
