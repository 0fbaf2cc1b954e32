// Does the benchmark tell a difference where there is one, and none where there is none? The same model under two names,
// again and again, through the benchmark itself: it may be called different in 5 of 40 repetitions at most. Then with a
// planted slowdown: one of two models multiplies more, as calibrated, so that its total is 10 % longer. It must be found
// in 18 of 20. Files are cached (`cacheMode: 'warm'`), so that a sample takes a quarter of a second: the statistics do not
// depend on it. `npm run study:aa [-- EQUAL PLANTED [MOST_ROUNDS]]`
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { markdownTable } from 'markdown-table';
import { benchmark } from '../../dist/bench/benchmark.js';
import { usualSessions } from '../../dist/lib/session-options.js';
import { makeTemporaryFolder } from '../../dist/lib/temporary-folder.js';
import { chainFeeds, writeChainArtifact } from './matmul-chain.mjs';
import { median } from './sample-statistics.mjs';

const [equalCount = '40', plantedCount = '20', mostRounds = '30'] = process.argv.slice(2);
const plan = { runs: 10, targetWidth: 0.05, mostRuns: Number(mostRounds) };
const slowdown = 0.1;
const [fewNodes, manyNodes] = [10, 410];
const out = 'artifacts/aa-study.json';

const folder = await makeTemporaryFolder(tmpdir(), 'optimise-model-study-');
try {
  const few = await stageChain('few', fewNodes);
  const many = await stageChain('many', manyNodes);
  const calibration = await calibrate(few, many);
  const slow = await stageChain('slow', fewNodes + calibration.addedNodes);
  const equal = await repeat('equal', Number(equalCount), [few, { ...few, variantId: 'again' }]);
  const planted = await repeat('planted', Number(plantedCount), [few, slow]);
  const found = planted.filter(
    ({ verdict, slower }) => verdict !== 'no-measurable-difference' && slower === 'slow',
  );
  const alarms = equal.filter(({ verdict }) => verdict !== 'no-measurable-difference');
  const isGood = alarms.length <= equal.length / 8 && found.length >= 0.9 * planted.length;
  await mkdir('artifacts', { recursive: true });
  await writeFile(out, `${JSON.stringify({ plan, slowdown, calibration, equal, planted }, null, 1)}\n`);
  print([
    ...(equal.length === 0
      ? []
      : [describe('same model, two names', equal, alarms.length, `≤ ${Math.floor(equal.length / 8)}`)]),
    ...(planted.length === 0
      ? []
      : [describe('one 10 % slower', planted, found.length, `≥ ${Math.ceil(0.9 * planted.length)}`)]),
  ]);
  process.stdout.write(
    `planted: ${fewNodes} + ${calibration.addedNodes} multiplications, ${calibration.nodeMs.toFixed(2)} ms each beside a total of ${calibration.totalMs.toFixed(0)} ms; raw results in ${out}\n`,
  );
  process.exitCode = isGood ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function stageChain(variantId, nodes) {
  const artifactFolder = join(folder, 'store', 'chain', 'objects', variantId);
  const { variant, digest, sizeBytes, expandedSizeBytes } = await writeChainArtifact(artifactFolder, nodes);
  return {
    ...{
      variantId,
      variant,
      digest,
      sizeBytes,
      expandedSizeBytes,
      sessions: usualSessions,
      deliveries: null,
    },
    artifactUrl: join(artifactFolder, 'artifact.json'),
    // Nowhere but in the store: no limits are measured beside.
    artifactFolder: null,
  };
}

/** How many multiplications more take a tenth of the total: by the phases that they are a part of, which vary least. */
async function calibrate(few, many) {
  const { rows, samples } = await measure([few, many], { runs: 20, targetWidth: null, mostRuns: 20 });
  const totalMs = rows[0].phases.totalMs.median;
  const [fewMs, manyMs] = [few, many].map(({ variantId }) =>
    median(
      samples
        .filter((sample) => sample.variantId === variantId)
        .map(({ phases }) => phases.sessionMs + phases.firstInferenceMs),
    ),
  );
  const nodeMs = (manyMs - fewMs) / (manyNodes - fewNodes);
  return { totalMs, nodeMs, addedNodes: Math.round((slowdown * totalMs) / nodeMs) };
}

function measure(targets, sampling) {
  return benchmark({
    ...{
      ...sampling,
      targets,
      deliveries: ['s3-copy'],
      warm: 0,
      threads: 1,
      memoryMiB: [],
      cacheMode: 'warm',
    },
    ...{ feeds: chainFeeds, link: 'direct', hub: { url: null, link: null }, disk: null, mount: null },
    ...{
      environment: {},
      samplesFile: join(folder, 'samples.jsonl'),
      openvino: null,
      skip: [],
      baseline: null,
    },
  });
}

async function repeat(label, count, targets) {
  const results = [];
  for (let repetition = 0; repetition < count; repetition += 1) {
    const { rows, comparisons, samples, durationMs } = await measure(targets, plan);
    const failed = samples.find((sample) => sample.error !== null);
    if (failed !== undefined) throw new Error(failed.error.what);
    const [comparison] = comparisons;
    const totalsMs = rows.map(({ variantId }) => listTotals(samples, variantId));
    const { verdict, ratio, low, high } = comparison.total;
    results.push({
      verdict,
      slower: comparison.row.variantId,
      ratio,
      low,
      high,
      rounds: totalsMs[0].length,
      totalsMs,
      durationMs,
    });
    process.stderr.write(
      `${label} ${repetition + 1}/${count}: ${comparison.row.variantId} ${ratio.toFixed(3)} (${low.toFixed(3)}–${high.toFixed(3)}), ${totalsMs[0].length} rounds, ${verdict}\n`,
    );
  }
  return results;
}

function listTotals(samples, variantId) {
  return samples
    .filter((sample) => sample.variantId === variantId)
    .map(({ phases }) => Object.values(phases).reduce((sum, phaseMs) => sum + phaseMs, 0));
}

function describe(name, results, different, wanted) {
  const pooled = [0, 1].map((row) => median(results.flatMap(({ totalsMs }) => totalsMs[row])));
  const rounds = results.map((result) => result.rounds);
  const widths = results.map(({ low, high, ratio }) => (high - low) / ratio);
  return [
    name,
    `${different} of ${results.length}`,
    wanted,
    `${median(rounds)} (${Math.min(...rounds)}–${Math.max(...rounds)})`,
    `${(100 * median(widths)).toFixed(1)} %`,
    pooled.map((totalMs) => totalMs.toFixed(0)).join(' and '),
    (pooled[1] / pooled[0]).toFixed(3),
  ];
}

function print(rows) {
  const head = [
    '',
    'called different',
    'wanted',
    'rounds',
    'width of interval',
    'total ms, all samples',
    'ratio',
  ];
  process.stdout.write(
    `${markdownTable([head, ...rows], { align: ['l', 'r', 'r', 'r', 'r', 'r', 'r'] })}\n\n`,
  );
}
