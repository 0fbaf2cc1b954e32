// Run by `npm run fuzz -- [FOLDER] [--mutants 10000] [--commands 200] [--seed N]` after a build: broken models through the
// converter, in-process and as commands. Ends with 1 when one of them crashed, hung, printed a stack trace, took memory out
// of proportion, or failed by anything but an error about the model. `--only INDEX` repeats one mutant of a seed.

import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chooseMeter } from '../perf/measure-process.mjs';
import { fuzzCommands } from './fuzz-commands.mjs';
import { fuzzMutants } from './fuzz-mutants.mjs';
import { makeMutant } from './make-mutant.mjs';
import { buildSeedModels, readSeedModels } from './seed-models.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mutants: { type: 'string', default: '10000' },
    commands: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    out: { type: 'string', default: fileURLToPath(new URL('../../.cache/fuzz', import.meta.url)) },
    json: { type: 'boolean', default: false },
  },
});
/** Of the mutants, how many must be readable: a framing that is broken at once tests little. */
const leastTypedShare = 0.3;

const seed = Number(values.seed);
const models = positionals[0] === undefined ? buildSeedModels() : await readSeedModels(positionals[0]);
if (models.length === 0) {
  console.error(`${positionals[0]} holds no model of up to 64 KiB.`);
  process.exitCode = 2;
} else await fuzz();

async function fuzz() {
  // Tens of thousands of small files: in memory where the system has a place for that.
  const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'fuzz-'));
  const tally = { reached: {}, codes: {}, findings: [], exits: {} };
  const started = performance.now();
  try {
    await fuzzMutants(chooseIndexes(), {
      models,
      seed,
      folder,
      onDone: (outcome) => noteMutant(tally, outcome),
    });
    const meter = await chooseMeter();
    const setting = { models, seed, folder: join(folder, 'commands'), meter };
    await fuzzCommands(chooseCommands(), { ...setting, onDone: (outcome) => noteCommand(tally, outcome) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const result = { ...sumUp(tally), durationMs: performance.now() - started };
  await saveFindings(tally.findings);
  console.log(values.json ? JSON.stringify(result) : describe(result));
  process.exitCode = result.isRight ? 0 : 1;
}

function chooseIndexes() {
  if (values.only !== undefined) return [Number(values.only)];
  return Array.from({ length: Number(values.mutants) }, (_unused, index) => index);
}

/** Mutants that the other half has not seen. */
function chooseCommands() {
  if (values.only !== undefined) return [Number(values.only)];
  return Array.from({ length: Number(values.commands) }, (_unused, index) => Number(values.mutants) + index);
}

function noteMutant(tally, outcome) {
  count(tally.reached, outcome.reached);
  if (outcome.code !== null) count(tally.codes, outcome.code);
  if (outcome.problem !== null) tally.findings.push({ ...outcome, way: 'in-process' });
  const done = Object.values(tally.reached).reduce((sum, number) => sum + number, 0);
  if (done % 2000 === 0) console.error(`${done} mutants, ${tally.findings.length} findings`);
}

function noteCommand(tally, outcome) {
  count(tally.exits, outcome.exitCode);
  if (outcome.problem !== null) tally.findings.push({ ...outcome, way: 'command' });
}

function count(counts, key) {
  counts[key] = (counts[key] ?? 0) + 1;
}

function sumUp({ reached, codes, findings, exits }) {
  const mutants = Object.values(reached).reduce((sum, number) => sum + number, 0);
  const typed = (reached.typed ?? 0) + (reached.written ?? 0);
  const typedShare = mutants === 0 ? null : typed / mutants;
  const isRight =
    findings.length === 0 && (values.only !== undefined || (typedShare ?? 1) >= leastTypedShare);
  return { seed, models: models.length, mutants, reached, typedShare, codes, exits, findings, isRight };
}

async function saveFindings(findings) {
  if (findings.length === 0) return;
  await mkdir(values.out, { recursive: true });
  for (const { index } of findings) {
    await writeFile(join(values.out, `mutant-${seed}-${index}.onnx`), makeMutant(models, seed, index).bytes);
  }
}

function describe({ mutants, reached, typedShare, codes, exits, findings, isRight, durationMs }) {
  const list = (counts) =>
    Object.entries(counts)
      .sort(([, left], [, right]) => right - left)
      .map(([key, number]) => `${number} ${key}`)
      .join(', ');
  return [
    `${mutants} mutants of ${models.length} models, seed ${seed}, ${(durationMs / 1000).toFixed(0)} s`,
    `came as far as: ${list(reached)}; ${((typedShare ?? 0) * 100).toFixed(1)} % to the types and beyond (asked ≥ ${leastTypedShare * 100} %)`,
    `errors about the model: ${list(codes)}`,
    `exit codes of commands: ${list(exits)}`,
    ...findings.slice(0, 20).map(({ index, way, strategy, origin, problem, args }) => {
      const where = `${strategy} of ${origin}${args === undefined ? '' : `, ${args.join(' ')}`}`;
      return `- mutant ${index} (${way}, ${where}): ${problem}`;
    }),
    ...(findings.length > 0 ? [`${findings.length} findings; the mutants are in ${values.out}`] : []),
    isRight ? 'passed' : 'failed',
  ].join('\n');
}
