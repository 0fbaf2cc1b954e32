// Run by `npm run conformance -- FOLDER` after a build: converts every case of a folder to fp16-weights and fp16, runs the
// results in onnxruntime, and proves from the written files that they were converted. Ends with 1 when a case is wrong.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { printConformance } from './conformance-text.mjs';
import { findCases } from './find-cases.mjs';
import { fetchOnnxCases } from './onnx-cases.mjs';
import { countsOf, findFallen, readCounts, writeCounts } from './recorded-counts.mjs';
import { runCases } from './run-cases.mjs';
import { summarisePrecision } from './summarise-cases.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    converter: { type: 'string' },
    only: { type: 'string' },
    out: { type: 'string', default: fileURLToPath(new URL('../../.cache/conformance', import.meta.url)) },
    counts: { type: 'string' },
    'record-counts': { type: 'string' },
    workers: { type: 'string', default: String(Math.min(4, availableParallelism())) },
    json: { type: 'boolean', default: false },
  },
});

const log = (line) => console.error(line);
const folder = positionals[0] ?? (await takeOnnxCases());
if (folder !== undefined) await runFolder(folder);

async function takeOnnxCases() {
  const { folder: found, missing } = await fetchOnnxCases(log);
  if (found !== undefined) return found;
  log(
    `The ONNX project's tests cannot be had: ${missing}. Give a FOLDER of cases (model.onnx, input_N.pb, output_N.pb).`,
  );
  process.exitCode = 3;
  return undefined;
}

async function runFolder(folder) {
  const all = existsSync(folder) ? await findCases(folder) : [];
  const cases = all.filter(({ name }) => name.includes(values.only ?? ''));
  if (cases.length === 0) {
    log(
      `${folder} holds no case: there is no model.onnx in it${values.only ? ` with ${values.only} in its path` : ''}.`,
    );
    process.exitCode = 2;
    return;
  }
  const started = performance.now();
  const judgements = await runCases(cases, {
    workers: Math.max(1, Number(values.workers)),
    command: values.converter,
    onDone: (count) => count % 100 === 0 && log(`${count} of ${cases.length} cases`),
  });
  const counts = countsOf(judgements);
  const recorded = values.counts === undefined ? undefined : await readCounts(values.counts);
  const result = {
    folder,
    converter: values.converter ?? null,
    durationMs: performance.now() - started,
    precisions: ['fp16-weights', 'fp16'].map((precision) => summarisePrecision(judgements, precision)),
    fallen: findFallen(recorded ?? {}, counts),
    judgements,
  };
  await mkdir(values.out, { recursive: true });
  await writeFile(join(values.out, 'conformance.json'), JSON.stringify(result, null, 1));
  if (values['record-counts'] !== undefined) await writeCounts(values['record-counts'], counts);
  console.log(values.json ? JSON.stringify(result) : printConformance(result));
  const isRight = result.precisions.every((precision) => precision.isRight) && result.fallen.length === 0;
  process.exitCode = isRight ? 0 : 1;
}
