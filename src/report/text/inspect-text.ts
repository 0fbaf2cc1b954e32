import { formatBytes, formatExactBytes } from '../../lib/format-quantity.js';
import type { InspectReport } from '../documents/inspect-result.js';
import { cell, columns, type ReportTable } from '../tables/report-table.js';
import { countOf, writePercent } from '../tables/write-value.js';
import { drawFacts, type Fact } from './draw-facts.js';
import { drawTextTable, type TextSettings } from './draw-table.js';

const shownOperators = 15;
const shownFunctions = 5;

/**
 * Says what is inside a model, for a terminal.
 *
 * @param summary - The model's summary.
 * @param settings - Whether to colour.
 * @returns Lines without a final newline.
 */
export function renderInspectText(summary: InspectReport, settings: TextSettings): string {
  const tables = [
    tabulateValues(summary),
    tabulateOperators(summary),
    tabulateWeights(summary),
    tabulateLargest(summary),
    tabulateEstimates(summary),
    ...(summary.externalFiles.length === 0 ? [] : [tabulateExternal(summary)]),
  ];
  return [
    drawFacts(summary.path, listFacts(summary), settings),
    ...tables.map((table) => drawTextTable(table, settings)),
  ].join('\n\n');
}

function listFacts(summary: InspectReport): readonly Fact[] {
  const { sizeBytes, irVersion, producer, opsets, functions, passedFields } = summary;
  const inside = functions.slice(0, shownFunctions).map(({ domain, name, nodeCount }) => {
    return `${domain}:${name} (${countOf(nodeCount, 'node')})`;
  });
  const hidden = functions.length - inside.length;
  return [
    ['size', `${formatExactBytes(sizeBytes)} B (${formatBytes(sizeBytes)})`],
    ['producer', producer === '' ? 'not said' : producer],
    ['IR version', String(irVersion)],
    [
      'opsets',
      opsets.map(({ domain, version }) => `${domain === '' ? 'ai.onnx' : domain} ${version}`).join(', '),
    ],
    ['graph', describeScopes(summary)],
    ...(inside.length === 0
      ? []
      : [['functions', [...inside, ...(hidden > 0 ? [`${hidden} more`] : [])].join(', ')] as const]),
    ...(passedFields.length === 0 ? [] : [['newer fields', describePassed(passedFields)] as const]),
  ];
}

function describeScopes({ nodeCount, scopes }: InspectReport): string {
  const nouns = { graph: 'main graph', body: 'body', function: 'function', training: 'training graph' };
  const plurals = { ...nouns, body: 'bodies', function: 'functions', training: 'training graphs' };
  const parts = scopes.map(({ kind, count, nodeCount: inside }) => {
    const noun = count === 1 ? nouns[kind] : plurals[kind];
    return `${formatExactBytes(inside)} in ${kind === 'graph' ? 'the' : formatExactBytes(count)} ${noun}`;
  });
  return parts.length < 2 ? countOf(nodeCount, 'node') : `${countOf(nodeCount, 'node')}: ${parts.join(', ')}`;
}

function describePassed(fields: InspectReport['passedFields']): string {
  const parts = fields.map(({ message, field, name, count }) => {
    const called = name === null ? `${message} field ${field}` : `${message}.${name}`;
    return `${called} (${formatExactBytes(count)})`;
  });
  return `${parts.join(', ')}; a conversion keeps them`;
}

function tabulateValues({ inputs, outputs }: InspectReport): ReportTable {
  const draw = (role: string) => (value: InspectReport['inputs'][number]) => [
    cell(role, 'faint'),
    cell(value.name),
    cell(value.isTensor ? (value.type ?? 'unknown') : 'no tensor', value.isTensor ? 'plain' : 'warn'),
    cell(`[${value.dims.join(', ')}]`),
  ];
  return {
    title: 'Inputs and outputs',
    columns: columns('Role', '~Name', 'Type', '~Shape'),
    rows: [...inputs.map(draw('input')), ...outputs.map(draw('output'))],
    notes: [],
  };
}

function tabulateOperators({ operators }: InspectReport): ReportTable {
  const hidden = operators.length - shownOperators;
  return {
    title: 'Operators',
    columns: columns('Operator', 'Domain', '>Count'),
    rows: operators
      .slice(0, shownOperators)
      .map(({ type, domain, count }) => [
        cell(type),
        cell(domain === '' ? 'ai.onnx' : domain),
        cell(formatExactBytes(count)),
      ]),
    notes: hidden > 0 ? [`and ${hidden} more, all in \`--json\``] : [],
  };
}

function tabulateWeights({ weights }: InspectReport): ReportTable {
  const parameters = weights.reduce((sum, total) => sum + total.parameters, 0);
  const sizeBytes = weights.reduce((sum, total) => sum + total.sizeBytes, 0);
  return {
    title: 'Weights by element type',
    columns: columns('Type', '>Tensors', '>Parameters', '>Bytes', '>Size'),
    rows: weights.map((total) => [
      cell(total.type),
      cell(formatExactBytes(total.tensorCount)),
      cell(formatExactBytes(total.parameters)),
      cell(formatExactBytes(total.sizeBytes)),
      cell(formatBytes(total.sizeBytes)),
    ]),
    notes: [`${formatExactBytes(parameters)} parameters, ${formatBytes(sizeBytes)} in all`],
  };
}

function tabulateLargest({ largestTensors }: InspectReport): ReportTable {
  return {
    title: 'Largest tensors',
    columns: columns('~Tensor', '>Size', 'Type', 'Shape', 'Kept as', '~Scope'),
    rows: largestTensors.map((tensor) => [
      cell(tensor.name),
      cell(formatBytes(tensor.sizeBytes)),
      cell(tensor.type),
      cell(`[${tensor.dims.join(', ')}]`),
      cell(tensor.role),
      cell(tensor.scope),
    ]),
    notes: [],
  };
}

function tabulateEstimates({ estimates }: InspectReport): ReportTable {
  const { fp32Bytes, fp16WeightsBytes, fp16Bytes } = estimates;
  const draw = (name: string, sizeBytes: number) => [
    cell(name),
    cell(formatBytes(Math.round(sizeBytes))),
    cell(fp32Bytes > 0 ? writePercent((100 * sizeBytes) / fp32Bytes) : '–'),
    cell(formatBytes(Math.max(0, Math.round(fp32Bytes - sizeBytes)))),
  ];
  return {
    title: 'What each precision would take, estimated',
    columns: columns('Precision', '>Size', '>Of now', '>Saves'),
    rows: [draw('fp32', fp32Bytes), draw('fp16-weights', fp16WeightsBytes), draw('fp16', fp16Bytes)],
    notes: ['fp16-weights: weights of 1 KiB or more, and a Cast after each; `convert` gives exact figures'],
  };
}

function tabulateExternal({ externalFiles }: InspectReport): ReportTable {
  return {
    title: 'External data',
    columns: columns('~File', '>Tensors', '>Size', '>Referenced'),
    rows: externalFiles.map((file) => [
      cell(file.location),
      cell(String(file.tensorCount)),
      cell(formatBytes(file.sizeBytes)),
      cell(formatBytes(file.referencedBytes)),
    ]),
    notes: [],
  };
}
