import type { Command } from 'commander';
import type { Pipeline, RunOutcome } from '../api/run.js';
import type { Finding } from '../messages/finding.js';
import { continueRun } from './continue-run.js';
import type { Perform } from './load-commands.js';
import { refuseMissingStep } from './refuse-missing-step.js';
import type { CommandOutcome } from './run-command.js';
import { readUnconditional, unconditionalOption } from './unconditional-option.js';

const toCurrent = { to: 'current', unconditional: false } as const;

/**
 * Adds `publish [RUN]`.
 *
 * @param program - The program.
 * @param perform - Runs the body.
 */
export function addPublishCommand(program: Command, perform: Perform): void {
  program
    .command('publish')
    .summary('write the release of a run and move current.json to it')
    .description(
      'Publishes what pick chose: writes the release document, then moves current.json, which handlers open. Exit 1 ' +
        'when no candidate is left, or with `bench.baseline` when the lowest total is slower than accepted; 4 when that ' +
        'could not be judged, or this machine cannot make the variant of the current release; 3 where OpenVINO is missing that variants of the run are made for. Earlier steps are reused where nothing changed.',
    )
    .argument('[run]', 'run folder, or a name under artifacts/; the newest run when left out')
    .addOption(unconditionalOption())
    .action((run: string | undefined, flags: { readonly unconditional?: true }) =>
      perform('publish', async (session) => {
        const unconditional = readUnconditional(flags.unconditional, process.env);
        const change = (pipeline: Pipeline) => {
          const asked = unconditional === undefined ? {} : { unconditional };
          return { ...pipeline, publish: { ...toCurrent, ...pipeline.publish, ...asked } };
        };
        const how = { until: 'publish', redo: [], movesBack: true, change, isOnce: false } as const;
        const outcome = await continueRun(run, how, session);
        const pick = refuseMissingStep(outcome, 'pick', outcome.pick);
        const result = outcome.publish;
        if (result === null) return refusePublishing(outcome, pick.findings);
        const { renderPublishText } = await import('../api/store.js');
        const text = renderPublishText(result, session.terminal.text);
        const { findings } = outcome.steps.find((step) => step.verb === 'publish') ?? { findings: [] };
        return { status: 'ok', result, findings: [...pick.findings, ...findings], text };
      }),
    );
}

async function refusePublishing(outcome: RunOutcome, picked: readonly Finding[]): Promise<CommandOutcome> {
  const { judgeRelease } = await import('../api/run.js');
  return {
    status: outcome.pick?.winner == null ? 'no' : judgeRelease(outcome),
    result: null,
    findings: [...picked, ...outcome.notes],
    text: 'Nothing published.',
  };
}
