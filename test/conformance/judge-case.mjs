// Judges what a converter makes of one case.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readModel } from '../../dist/onnx/read-model.js';
import { listNondeterministicOperators } from '../../dist/validate/nondeterministic-operators.js';
import { findTypeFaults } from './check-types.mjs';
import { findDifferences, findShapeDifferences } from './compare-outputs.mjs';
import { convertCase } from './convert-case.mjs';
import { countNodes, countWeights } from './count-halves.mjs';
import { planExpected } from './expected-conversion.mjs';
import { readCaseData } from './read-case-data.mjs';
import { runModel } from './run-model.mjs';

/** The precisions that are judged. */
export const judgedPrecisions = ['fp16-weights', 'fp16'];

/**
 * What came of one case in one precision; `compared` says with what its outputs were compared.
 * @typedef {{ name: string, precision: string, status: 'right' | 'wrong' | 'not-run', reasons: string[],
 *   compared: 'stored' | 'own' | 'shape' | 'nothing', nodes: object | null, weights: object | null }} Judgement
 */

/**
 * Converts and judges a case in every precision.
 * @param {import('./find-cases.mjs').Case} subject - The case.
 * @param {string | undefined} command - A converter in place of this project's.
 * @returns {Promise<Judgement[]>} One per precision.
 */
export async function judgeCase(subject, command) {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const source = await readModel(subject.model);
    const reference = await findReference(subject, source);
    const judgements = [];
    for (const precision of judgedPrecisions) {
      const out = join(folder, `${precision}.onnx`);
      judgements.push(await judgeConversion({ subject, source, reference, precision, out, command }));
    }
    return judgements;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the source itself gives, and what of it is to be compared. */
async function findReference(subject, source) {
  const graph = source.model.graph;
  const sets = await Promise.all(subject.dataFolders.map((folder) => readCaseData(folder, graph)));
  const isRandom = (await listNondeterministicOperators(source)).length > 0;
  return { sets, isRandom, ...(await runModel(subject.model, sets)) };
}

async function judgeConversion(job) {
  const { subject, source, precision, out, command } = job;
  const base = { name: subject.name, precision, compared: 'nothing', nodes: null, weights: null };
  try {
    await convertCase(command, { model: subject.model, precision, out });
    const written = await readModel(out);
    const kept = await planExpected(source, precision);
    const counts = {
      nodes: precision === 'fp16' ? countNodes(source.model, written.model, kept.nodes) : null,
      weights: countWeights(source.model, written.model, kept.weights),
    };
    const structure = [
      ...newTypeFaults(source.model, written.model),
      ...findChangedIo(source.model, written.model),
    ];
    const run = await judgeRun(job, out);
    const reasons = [...structure, ...run.reasons];
    const status = structure.length > 0 || run.status === 'wrong' ? 'wrong' : run.status;
    return { ...base, ...counts, compared: run.compared, status, reasons };
  } catch (error) {
    return { ...base, status: 'wrong', reasons: [`conversion failed: ${error.message}`] };
  }
}

/** What is wrong in the source already is not held against its conversion. */
function newTypeFaults(source, written) {
  const known = new Set(findTypeFaults(source));
  return findTypeFaults(written).filter((fault) => !known.has(fault));
}

function findChangedIo(source, written) {
  return ['input', 'output'].flatMap((side) => {
    const [before, after] = [source, written].map(({ graph }) => JSON.stringify(graph[side] ?? []));
    return before === after ? [] : [`its ${side}s were ${before} and are ${after}`];
  });
}

async function judgeRun({ reference, subject }, out) {
  if (reference.refused !== undefined) {
    return {
      status: 'not-run',
      compared: 'nothing',
      reasons: [`onnxruntime refuses the source: ${reference.refused}`],
    };
  }
  const candidate = await runModel(out, reference.sets);
  if (candidate.refused !== undefined)
    return { status: 'wrong', compared: 'nothing', reasons: [candidate.refused] };
  const verdicts = subject.dataFolders.map((_folder, index) => judgeSet(reference, candidate, index));
  const compared = verdicts.map((verdict) => verdict.compared)[0] ?? 'nothing';
  const reasons = verdicts.flatMap((verdict) => verdict.reasons);
  const isNotRun = verdicts.length > 0 && verdicts.every(({ notRun }) => notRun);
  const isWrong = verdicts.some(({ notRun, reasons: own }) => !notRun && own.length > 0);
  return { status: isWrong ? 'wrong' : isNotRun ? 'not-run' : 'right', compared, reasons };
}

/**
 * The stored outputs count where the source gives them; where it gives others, because the runtime differs from the
 * project's definition, its own do.
 */
function judgeSet({ sets, results, isRandom }, candidate, index) {
  const own = results[index];
  const given = candidate.results[index];
  const stored = sets[index].outputs;
  if (own.failed === 'it gives no tensor') return { compared: 'nothing', reasons: [] };
  if (own.failed !== undefined) {
    return {
      notRun: true,
      compared: 'nothing',
      reasons: [`onnxruntime does not run the source: ${own.failed}`],
    };
  }
  if (given.failed !== undefined) return { compared: 'nothing', reasons: [given.failed] };
  if (isRandom) return { compared: 'shape', reasons: findShapeDifferences(own.outputs, given.outputs) };
  const isStored = Object.keys(stored).length > 0 && findDifferences(stored, own.outputs).length === 0;
  const reference = isStored ? stored : own.outputs;
  return { compared: isStored ? 'stored' : 'own', reasons: findDifferences(reference, given.outputs) };
}
