// Run by `npm run bench:sources` after a build: where a model comes from, as in the study of four sources, on the seed
// study's model in one file and in 26: a model hub over HTTP, a parallel copy from S3, S3 mounted by FUSE and read file by
// file, a disk held to its baseline. Links and disk are those that the study measured.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { renderBenchText } from '../../dist/api/bench.js';
import { benchmark } from '../../dist/bench/benchmark.js';
import { findDiskPreset } from '../../dist/bench/disk/disk-presets.js';
import { findLinkPreset } from '../../dist/bench/link/link-presets.js';
import { convertModel } from '../../dist/convert/convert-model.js';
import { fillTensor } from '../../dist/inputs/fill-tensor.js';
import { defaultObjectSettings } from '../../dist/lib/object-settings.js';
import { usualSessions } from '../../dist/lib/session-options.js';
import { stageArtifact } from '../../dist/stage/stage-artifact.js';
import { readArtifactFolder } from '../../dist/store/artifact-record.js';
import { describeMachine, machineLine } from './bench-machine.mjs';
import { bucket, prepareStudyModel, startGround } from './delivery-ground.mjs';
import { shardArtifact } from './shard-artifact.mjs';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    cache: { type: 'string', default: join(tmpdir(), 'optimise-model-bench') },
    json: { type: 'string' },
  },
});
const log = (line) => console.error(line);
const dataFiles = 25;

await mkdir(values.cache, { recursive: true });
const model = await prepareStudyModel(values.cache, log);
const copyLink = findLinkPreset('s3-copy-gpu-host').model;
const ground = await startGround(copyLink);
try {
  Object.assign(process.env, ground.environment);
  if (ground.mount === null) log(`mount is left out: ${ground.whyNoMount}`);
  const folders = await prepareArtifacts();
  const targets = [];
  for (const [variantId, folder] of folders) targets.push(await stage(variantId, folder));
  const result = await benchmark(
    {
      targets,
      deliveries: ['url', 's3-copy', ...(ground.mount === null ? [] : ['mount']), 'layer'],
      runs: Number(values.runs),
      mostRuns: Number(values.runs),
      targetWidth: null,
      warm: 0,
      threads: null,
      memoryMiB: [],
      cacheMode: 'evict',
      feeds: { image: fillTensor('image', 'float32', [1, 3, 224, 224], { fill: 'normal', seed: 7 }) },
      link: copyLink,
      hub: { url: null, link: findLinkPreset('hub').model },
      disk: findDiskPreset('gp3-baseline').model,
      mount: ground.mount === null ? null : { folder: join(ground.mount, 'sources'), mode: 'direct' },
      openvino: null,
      environment: {
        layer: { ms: 0, source: 'a disk of a host that runs already: nothing comes before the process' },
      },
      samplesFile: join(values.cache, 'sources-samples.jsonl'),
      skip: [],
      baseline: null,
    },
    {
      signal: new AbortController().signal,
      progress: ({ label, done, total }) => log(`${label} ${done}/${total}`),
    },
  );
  console.log(machineLine(describeMachine()));
  console.log(renderBenchText(result, { width: 120, colour: false }));
  for (const { severity, what } of result.findings)
    if (severity === 'warning') console.log(`warning: ${what}`);
  if (values.json !== undefined) await writeFile(values.json, JSON.stringify(result));
} finally {
  await ground.stop();
}

async function prepareArtifacts() {
  const [single, external, many] = ['single', 'external', 'many'].map((name) =>
    join(values.cache, `sources-${name}`),
  );
  for (const [layout, out] of [
    ['single', single],
    ['external', external],
  ]) {
    await rm(out, { recursive: true, force: true });
    await convertModel({
      ...{
        model,
        out,
        precision: 'fp32',
        layout,
        engine: 'onnxruntime',
        inference: 'f32',
        sourceSha256: null,
        loadCheck: false,
      },
      ...{ minWeightBytes: 1024, maxWeightError: 0.01, io: 'fp32', keepFp32: [], withoutRules: [] },
    });
  }
  await rm(many, { recursive: true, force: true });
  const record = await shardArtifact(external, many, dataFiles);
  return [
    ['one file', single],
    [`${record.files.length} files`, many],
  ];
}

async function stage(variantId, artifactFolder) {
  const { record } = await readArtifactFolder(artifactFolder);
  const { artifactUrl } = await stageArtifact({
    ...{
      artifact: artifactFolder,
      to: `s3://${bucket}/sources`,
      name: 'vit',
      settings: defaultObjectSettings,
    },
    ...{ partSizeBytes: null, concurrency: 4 },
  });
  const { variant, digest, sizeBytes, expandedSizeBytes } = record;
  const about = { variantId, variant, digest, sizeBytes, expandedSizeBytes, artifactUrl, artifactFolder };
  return { ...about, sessions: usualSessions, deliveries: null };
}
