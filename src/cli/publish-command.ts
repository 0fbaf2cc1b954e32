import type { Command } from 'commander';
import type { Pipeline } from '../api/run.js';
import { continueRun } from './continue-run.js';
import type { Perform } from './load-commands.js';
import { refuseMissingStep } from './refuse-missing-step.js';

const toCurrent = { to: 'current' } as const;

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
        'when no candidate is left. Earlier steps are reused where nothing changed.',
    )
    .argument('[run]', 'run folder, or a name under artifacts/; the newest run when left out')
    .action((run: string | undefined) =>
      perform('publish', async (session) => {
        const change = (pipeline: Pipeline) => ({ ...pipeline, publish: pipeline.publish ?? toCurrent });
        const how = { until: 'publish', redo: [], movesBack: true, change } as const;
        const outcome = await continueRun(run, how, session);
        const pick = refuseMissingStep(outcome, 'pick', outcome.pick);
        const result = outcome.publish;
        if (result === null)
          return { status: 'no', result, findings: pick.findings, text: 'Nothing published.' };
        const { renderPublishText } = await import('../api/store.js');
        const text = renderPublishText(result, session.terminal.text);
        const { findings } = outcome.steps.find((step) => step.verb === 'publish') ?? { findings: [] };
        return { status: 'ok', result, findings: [...pick.findings, ...findings], text };
      }),
    );
}
