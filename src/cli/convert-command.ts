import { type Command, Option } from 'commander';
import {
  convertModel,
  type Engine,
  engines,
  type Layout,
  layouts,
  type Precision,
  precisions,
  renderConvertText,
} from '../index.js';
import type { Perform } from './main.js';
import { parseWholeNumber } from './parse-option.js';

type Flags = {
  readonly precision: Precision;
  readonly layout: Layout;
  readonly engine: Engine;
  readonly out: string;
  readonly minWeightBytes: number;
};

/**
 * Adds `convert MODEL`.
 *
 * @param program - The program.
 * @param perform - Runs the body.
 */
export function addConvertCommand(program: Command, perform: Perform): void {
  program
    .command('convert')
    .summary('write a model in another precision and layout')
    .description(
      'Writes an artifact: the model in another precision and layout, with artifact.json beside it. ' +
        'An --out that ends in .onnx gets the bare model instead.',
    )
    .argument('<model>', 'the exported ONNX model')
    .addOption(
      new Option('--precision <precision>', 'how weights and arithmetic are stored')
        .choices(precisions)
        .default('fp16-weights'),
    )
    .addOption(
      new Option('--layout <layout>', 'one file, or a small one and a mapped data file')
        .choices(layouts)
        .default('single'),
    )
    .addOption(
      new Option('--engine <engine>', 'the runtime that opens it').choices(engines).default('onnxruntime'),
    )
    .requiredOption('--out <path>', 'the artifact folder, or FILE.onnx for the bare model (required)')
    .option(
      '--min-weight-bytes <bytes>',
      'smaller FP32 weights stay as they are: with fp16-weights all, with fp16 those that FP32 nodes read',
      parseWholeNumber,
      1024,
    )
    .action((model: string, flags: Flags) =>
      perform('convert', async ({ context, terminal }) => {
        const { precision, layout, engine, out, minWeightBytes } = flags;
        const result = await convertModel({ model, precision, layout, engine, out, minWeightBytes }, context);
        const { findings } = result;
        return {
          status: 'ok',
          result,
          findings,
          text: renderConvertText(result, terminal.text),
        };
      }),
    );
}
