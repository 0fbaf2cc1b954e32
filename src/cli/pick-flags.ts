import type { Command } from 'commander';
import { invocationPaths, type Metric, type StartMode, startModes, type Weights } from '../api/choices.js';
import type { Pipeline } from '../api/run.js';
import { isLayerArn } from '../lib/layer-arn.js';
import { OptimiseModelError } from '../messages/error.js';
import { commander } from './commander.js';
import { repeatable } from './parse-choices.js';
import { metricWords, parseMetric, parseWeights } from './parse-objective.js';
import { parseNumber, parsePositiveInteger } from './parse-option.js';

/** What `pick` takes besides the run. */
export type PickFlags = {
  readonly objective?: Metric;
  readonly weights?: Weights;
  readonly allowUnproven?: true;
  readonly allowOverBudget?: true;
  readonly allowBound?: true;
  readonly maxTotalP95?: number;
  readonly maxReadyP95?: number;
  readonly maxSteadyP95?: number;
  readonly maxCostPer100k?: number;
  readonly maxSize?: number;
  readonly invokedThrough?: Pipeline['pick']['invokedThrough'];
  readonly startModes?: readonly StartMode[];
  readonly memoryMib?: number;
  readonly imported?: string;
  readonly expect?: string;
  readonly openvinoLayer?: string;
  readonly samParameters?: true;
};

/**
 * Adds the options of `pick`.
 *
 * @param command - The command.
 * @returns The same.
 */
export function addPickFlags(command: Command): Command {
  return addShippingFlags(addRuleFlags(command));
}

function addRuleFlags(command: Command): Command {
  const limit = (flags: string, text: string) => new commander.Option(flags, text).argParser(parseLimit);
  return command
    .addOption(
      new commander.Option(
        '--objective <metric>',
        `what is minimised (choices: ${metricWords.join(', ')})`,
      ).argParser(parseMetric),
    )
    .addOption(
      new commander.Option(
        '--weights <weights>',
        'several metrics by weight instead, such as total=0.7,cost-per-100k=0.3',
      ).argParser(parseWeights),
    )
    .option('--allow-unproven', 'variants whose parity is not proven may win too')
    .option('--allow-over-budget', 'candidates over a budget may win too')
    .option('--allow-bound', 'what only one version of an engine or kind of processor opens may win too')
    .addOption(limit('--max-total-p95 <ms>', 'highest p95 of the total, milliseconds'))
    .addOption(limit('--max-ready-p95 <ms>', 'highest p95 until the handler takes requests, milliseconds'))
    .addOption(limit('--max-steady-p95 <ms>', 'highest p95 of an inference after the first, milliseconds'))
    .addOption(limit('--max-cost-per-100k <usd>', 'highest cost of 100,000 inferences, USD'))
    .addOption(limit('--max-size <bytes>', 'largest artifact, bytes'))
    .addOption(
      new commander.Option(
        '--invoked-through <way>',
        "api-gateway: the first answer must come within the 29 s that it waits; other, the default: that limit is not applied; plain-machine: none of Lambda's own times hold either",
      ).choices(invocationPaths),
    )
    .addOption(repeatable('--start-modes <modes>', 'only these start modes', startModes));
}

function addShippingFlags(command: Command): Command {
  return command
    .option(
      '--memory-mib <n>',
      'compare at this memory, of those that were measured, MiB; the first when left out',
      parsePositiveInteger,
    )
    .option('--imported <file>', 'real runs, as `bench import --json` printed them')
    .option(
      '--expect <name>',
      'VARIANT[:DELIVERY[:START]], or recorded, what the current release has, else this run: exit 1 when another one is picked',
    )
    .addOption(
      new commander.Option(
        '--openvino-layer <arn>',
        'Lambda layer with the libraries of OpenVINO in openvino/libs, for --sam-parameters',
      ).argParser(parseLayer),
    )
    .option('--sam-parameters', 'print what is shipped as parameters of pipelines/lambda/template.yaml');
}

function parseLayer(text: string): string {
  if (isLayerArn(text)) return text;
  throw new commander.InvalidArgumentError('It must be an ARN with a version, arn:…:layer:NAME:VERSION.');
}

function parseLimit(text: string): number {
  const value = parseNumber(text);
  if (value <= 0) throw new commander.InvalidArgumentError('It must be a number above 0.');
  return value;
}

/**
 * Puts the options into what a run picks by.
 *
 * @param pick - What the pipeline file says.
 * @param flags - What was given.
 * @returns What is picked by.
 * @throws `usage-wrong` for one objective and weights of several at the same time.
 */
export function applyPickFlags(pick: Pipeline['pick'], flags: PickFlags): Pipeline['pick'] {
  const { objective, weights, allowUnproven, allowOverBudget, allowBound } = flags;
  if (objective !== undefined && weights !== undefined) {
    const problem = 'options --objective and --weights both say what is minimised';
    throw OptimiseModelError.of('usage-wrong', { problem, command: 'optimise-model pick' });
  }
  const { require, limits, startModes: modes } = pick;
  return {
    ...pick,
    objective: weights === undefined ? (objective ?? pick.objective) : { weights },
    require: {
      parity: allowUnproven ? 'any' : require.parity,
      budgets: allowOverBudget ? 'any' : require.budgets,
      bound: allowBound ? 'any' : require.bound,
    },
    limits: {
      totalP95Ms: flags.maxTotalP95 ?? limits.totalP95Ms,
      readyP95Ms: flags.maxReadyP95 ?? limits.readyP95Ms,
      steadyP95Ms: flags.maxSteadyP95 ?? limits.steadyP95Ms,
      costPer100kUsd: flags.maxCostPer100k ?? limits.costPer100kUsd,
      sizeBytes: flags.maxSize ?? limits.sizeBytes,
    },
    invokedThrough: flags.invokedThrough ?? pick.invokedThrough,
    openvinoLayer: flags.openvinoLayer ?? pick.openvinoLayer,
    startModes: flags.startModes === undefined ? modes : onlyModes(modes, flags.startModes),
  };
}

function onlyModes(
  modes: Pipeline['pick']['startModes'],
  asked: readonly StartMode[],
): Pipeline['pick']['startModes'] {
  return {
    'on-demand': asked.includes('on-demand'),
    ...(asked.includes('snapstart') ? { snapstart: modes.snapstart ?? {} } : {}),
    ...(asked.includes('provisioned') ? { provisioned: modes.provisioned ?? { processes: 1 } } : {}),
  };
}
