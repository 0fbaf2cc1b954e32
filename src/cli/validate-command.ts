import type { Command } from 'commander';
import type { Perform } from './load-commands.js';
import { addOpenvinoOption } from './openvino-option.js';
import { collectInput, type InputFlags, parseNumber, parsePositiveInteger } from './parse-option.js';
import type { CommandStatus } from './run-command.js';

type Flags = {
  readonly input: InputFlags;
  readonly rtol?: number;
  readonly atol?: number;
  readonly cosine?: number;
  readonly maxAbs?: number;
  readonly threads?: number;
};

const statuses = { pass: 'ok', fail: 'no', partial: 'unjudged', inconclusive: 'unjudged' } as const;

/**
 * Adds `validate REFERENCE CANDIDATE`.
 *
 * @param program - The program.
 * @param perform - Runs the body.
 */
export function addValidateCommand(program: Command, perform: Perform): void {
  const command = program
    .command('validate')
    .summary('compare the outputs of two models on the same inputs')
    .description(
      'Runs both models on the same seeded inputs, each in a process of its own, and holds every output against ' +
        '|a-b| <= atol + rtol*|reference|. A candidate for OpenVINO runs there, with as many threads, in the arithmetic ' +
        'that its record says, f32 unless it says otherwise.',
    )
    .argument('<reference>', 'the model that is right, or an artifact folder')
    .argument('<candidate>', 'the model to judge, or an artifact folder')
    .option(
      '--input <NAME=SPEC>',
      'what an input is fed: NAME=1x3x48x320, NAME=@file.npy, NAME=value=16000, NAME=1x512,fill=uniform,seed=3; repeatable',
      collectInput,
      {},
    )
    .option(
      '--rtol <number>',
      'relative tolerance (default: 0.01, and 0.05 for a candidate that computes in bf16)',
      parseNumber,
    )
    .option('--atol <number>', 'absolute tolerance (default: 0.001, and 0.02 in bf16)', parseNumber)
    .option('--cosine <number>', 'lowest cosine similarity per output', parseNumber)
    .option('--max-abs <number>', 'highest absolute error of any element', parseNumber)
    .option('--threads <n>', 'threads inside one operator', parsePositiveInteger)
    .action((reference: string, candidate: string, flags: Flags) =>
      perform('validate', async ({ context, terminal }) => {
        const { renderParityText, validateParity } = await import('../api/validate.js');
        const { rtol, atol, cosine, maxAbs, threads, input } = flags;
        const bounds = { rtol, atol, cosine, maxAbs };
        const result = await validateParity(
          { reference, candidate, inputs: input, bounds, threads },
          context,
        );
        const status: CommandStatus = statuses[result.verdict];
        const { findings } = result;
        return { status, result, findings, text: renderParityText(result, terminal.text) };
      }),
    );
  addOpenvinoOption(command);
}
