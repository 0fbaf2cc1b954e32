import type { Command, Option } from 'commander';
import { engines, fp32Rules, inferencePrecisions, layouts, precisions } from '../api/choices.js';
import { commander } from './commander.js';
import { type ConvertFlags, readConvertFlags } from './convert-flags.js';
import type { Perform } from './load-commands.js';
import { addOpenvinoOption } from './openvino-option.js';
import { collectFp32Rule, collectIo, collectKeepRule } from './parse-convert-option.js';
import { parsePath, parseShare, parseWholeNumber } from './parse-option.js';

/**
 * Adds `convert MODEL`.
 *
 * @param program - The program.
 * @param perform - Runs the body.
 */
export function addConvertCommand(program: Command, perform: Perform): void {
  const command = program
    .command('convert')
    .summary('write a model in another precision and layout')
    .description(
      'Writes an artifact: the model in another precision and layout, with artifact.json beside it. ' +
        'An --out that ends in .onnx gets the bare model instead. Nothing of the model is changed that the precision ' +
        'does not ask for. For OpenVINO, ir is made by its own converter and blob compiled on this machine: both need ' +
        'the Python package openvino and --engine openvino, hold fp32 or fp16-weights (fp16 goes with single and external ' +
        'alone), and take none of the options for single weights and nodes.',
    )
    .argument('<model>', 'the exported ONNX model')
    .action((model: string, flags: ConvertFlags) =>
      perform('convert', async ({ context, terminal }) => {
        const { convertModel, renderConvertReport, renderConvertText } = await import('../api/convert.js');
        const options = readConvertFlags(model, flags, (name) => command.getOptionValueSource(name));
        const result = await convertModel(options, context);
        const render = flags.report === true ? renderConvertReport : renderConvertText;
        return { status: 'ok', result, findings: result.findings, text: render(result, terminal.text) };
      }),
    );
  for (const option of [...targetOptions(), ...fp16Options(), ...checkOptions()]) command.addOption(option);
  addOpenvinoOption(command);
}

function targetOptions(): readonly Option[] {
  return [
    new commander.Option('--precision <precision>', 'how weights and arithmetic are stored')
      .choices(precisions)
      .default('fp16-weights'),
    new commander.Option(
      '--layout <layout>',
      'one file, or a small one and a mapped data file; with --engine openvino also ir, its own format, or blob, a compiled model that is ' +
        'bound to this version and processor (default: single, for openvino ir)',
    ).choices(layouts),
    new commander.Option('--engine <engine>', 'the runtime that opens it')
      .choices(engines)
      .default('onnxruntime'),
    new commander.Option(
      '--inference <type>',
      'what openvino may compute FP32 operations in, where the processor can',
    )
      .choices(inferencePrecisions)
      .default('f32'),
    new commander.Option('--out <path>', 'the artifact folder, or FILE.onnx for the bare model (required)')
      .argParser(parsePath)
      .makeOptionMandatory(),
  ];
}

function fp16Options(): readonly Option[] {
  return [
    new commander.Option(
      '--min-weight-bytes <bytes>',
      'smaller FP32 weights stay as they are: with fp16-weights all, with fp16 those that FP32 nodes read',
    )
      .argParser(parseWholeNumber)
      .default(1024),
    new commander.Option(
      '--max-weight-error <number>',
      'a weight that FP32 nodes read stays FP32 when rounding changes it by more than this share, |rounded-exact|/|exact| over the tensor',
    )
      .argParser(parseShare)
      .default(0.01),
    new commander.Option(
      '--io <fp32|fp16|name,…>',
      'type of the FLOAT inputs and outputs of fp16-weights and fp16, or the names of those that become FP16; repeatable (default: fp32)',
    ).argParser(collectIo),
    new commander.Option(
      '--keep-fp32 <rule>',
      'compute in FP32: op:TYPE all nodes of an operator, node:NAME one, output:NAME the one that gives a value; repeatable',
    ).argParser(collectKeepRule),
    new commander.Option(
      '--without-rule <rule>',
      `do not keep FP32 for this reason; repeatable (choices: ${fp32Rules.join(', ')})`,
    ).argParser(collectFp32Rule),
  ];
}

function checkOptions(): readonly Option[] {
  return [
    new commander.Option(
      '--no-load-check',
      'do not open the result in the runtime before it is put in place',
    ),
    new commander.Option('--report', 'say all of what was converted, what was not, and why'),
  ];
}
