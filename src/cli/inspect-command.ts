import type { Command } from 'commander';
import type { Perform } from './load-commands.js';

/**
 * Adds `inspect MODEL`.
 *
 * @param program - The program.
 * @param perform - Runs the body.
 */
export function addInspectCommand(program: Command, perform: Perform): void {
  program
    .command('inspect')
    .summary('what is inside a model')
    .description(
      'Shows opsets, operators, inputs and outputs, weights by type, and what each precision would save.',
    )
    .argument('<model>', 'an ONNX model')
    .action((model: string) =>
      perform('inspect', async ({ terminal }) => {
        const { inspectModel, renderInspectText } = await import('../api/inspect.js');
        const result = await inspectModel(model);
        return {
          status: 'ok',
          result,
          findings: [],
          text: renderInspectText(result, terminal.text),
        };
      }),
    );
}
