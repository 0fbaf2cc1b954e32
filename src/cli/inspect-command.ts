import type { Command } from 'commander';
import type { Perform } from './load-commands.js';

/**
 * Adds `inspect MODEL`, which takes an artifact as well.
 *
 * @param program - The program.
 * @param perform - Runs the body.
 */
export function addInspectCommand(program: Command, perform: Perform): void {
  program
    .command('inspect')
    .summary('what is inside a model or an artifact')
    .description(
      'Shows opsets, operators, inputs and outputs, weights by type, and what each precision would save. Of an artifact it shows what it is, its files and what it needs, then its model where that is ONNX.',
    )
    .argument('<model>', 'an ONNX model, or the folder of an artifact')
    .action((model: string) =>
      perform('inspect', async ({ terminal }) => {
        const inspect = await import('../api/inspect.js');
        const done = { status: 'ok', findings: [] } as const;
        const folder = await inspect.findArtifactFolder(model);
        if (folder === null) {
          const result = await inspect.inspectModel(model);
          return { ...done, result, text: inspect.renderInspectText(result, terminal.text) };
        }
        const result = await inspect.inspectArtifact(folder);
        return { ...done, result, text: inspect.renderArtifactText(result, terminal.text) };
      }),
    );
}
