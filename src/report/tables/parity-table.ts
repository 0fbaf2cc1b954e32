import type { ParityReport } from '../documents/parity-result.js';
import { type Cell, cell, columns, type ReportTable, verdictCell } from './report-table.js';
import { writeCosine, writeMeasure, writeTolerance } from './write-value.js';

/** A parity result with the variant it is about, where there is one. */
export type NamedParity = ParityReport & { readonly variantId?: string | undefined };

/**
 * Lists each output of each candidate: the errors, the verdict, and which tolerance would have been needed.
 *
 * @param results - One result per candidate.
 * @returns The table; what is no number on either side is said in the notes.
 */
export function tabulateParity(results: readonly NamedParity[]): ReportTable {
  const isMixed = results.some(({ engines, outputs }) => outputs.length > 0 && !isUsual(engines.candidate));
  return {
    title: 'Parity',
    columns: columns(
      'Candidate',
      ...(isMixed ? ['Engine'] : []),
      '~Output',
      'Verdict',
      '>Max abs',
      '>Max rel',
      '>Cosine',
      '>Needs rtol',
      '>Needs atol',
    ),
    rows: results.flatMap((result) =>
      result.outputs.map((output) => [
        cell(result.variantId ?? result.candidate),
        ...(isMixed ? [cell(nameArithmetic(result.engines.candidate))] : []),
        ...drawOutput(output),
      ]),
    ),
    notes: [
      ...results.flatMap((result) => {
        const candidate = result.variantId ?? result.candidate;
        return [`${candidate}: ${result.verdict}, ${result.reason}`, ...result.outputs.flatMap(describeOdd)];
      }),
      ...(isMixed ? [`Computed by ${listEngines(results)}.`] : []),
    ],
  };
}

type EngineReport = ParityReport['engines']['candidate'];

/** What all candidates of most runs have in common, and nobody has to read. */
function isUsual({ engine, inference }: EngineReport): boolean {
  return engine === 'onnxruntime' && (inference === 'f32' || inference === null);
}

function nameEngine({ engine, version, inference }: EngineReport): string {
  return [engine, version, inference].filter((word) => word !== null).join(' ');
}

/** Without the version, which the notes say once. */
function nameArithmetic(engine: EngineReport): string {
  return nameEngine({ ...engine, version: null });
}

function listEngines(results: readonly NamedParity[]): string {
  const used = results.flatMap(({ engines }) => [engines.reference, engines.candidate]);
  const ran = used.filter(({ version }) => version !== null);
  return [...new Set(ran.map((engine) => nameEngine({ ...engine, inference: null })))].join(' and ');
}

/**
 * Writes what computed a pair.
 *
 * @param engines - Of the reference and of the candidate.
 * @returns Such as `onnxruntime 1.30.0 f32, the candidate by openvino 2026.4.1 f32`.
 */
export function describeEngines({ reference, candidate }: ParityReport['engines']): string {
  const [left, right] = [nameEngine(reference), nameEngine(candidate)];
  return left === right || (candidate.version === null && candidate.engine === reference.engine)
    ? left
    : `${left}, the candidate by ${right}`;
}

function drawOutput(output: ParityReport['outputs'][number]): readonly Cell[] {
  return [
    cell(output.name),
    verdictCell(output.status),
    cell(writeMeasure(output.maxAbsError)),
    cell(writeMeasure(output.maxRelError)),
    cell(writeCosine(output.cosine)),
    cell(writeTolerance(output.neededRtol)),
    cell(writeTolerance(output.neededAtol)),
  ];
}

/**
 * Says where an output of either model is no number.
 *
 * @param output - One output.
 * @returns One clause, or nothing when all numbers are finite.
 */
export function describeOdd(output: ParityReport['outputs'][number]): readonly string[] {
  const { name, nanReference, nanCandidate, nanBoth, infReference, infCandidate } = output;
  if (nanReference + nanCandidate + infReference + infCandidate === 0) return [];
  return [
    `${name}: NaN ${nanReference} in the reference, ${nanCandidate} in the candidate, ${nanBoth} in both; ` +
      `infinite ${infReference} and ${infCandidate}`,
  ];
}

/**
 * Writes the bounds that a verdict rests on.
 *
 * @param bounds - The bounds as given.
 * @returns Such as `rtol 0.01, atol 0.001, cosine ≥ 0.9999`.
 */
export function describeBounds(bounds: ParityReport['bounds']): string {
  return [
    `|a − b| ≤ ${bounds.atol} + ${bounds.rtol} × |reference|`,
    ...(bounds.cosine === undefined ? [] : [`cosine ≥ ${bounds.cosine}`]),
    ...(bounds.maxAbs === undefined ? [] : [`max abs ≤ ${bounds.maxAbs}`]),
  ].join(', ');
}
