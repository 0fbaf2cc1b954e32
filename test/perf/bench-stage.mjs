// Run by `npm run bench:stage` after a build: `stage` and `fetch` as processes, against `aws s3 cp` and `s5cmd`, with a real
// S3 server on this machine, and behind a link of 90 MB/s.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine, machineLine } from './bench-machine.mjs';
import { chooseMeter } from './measure-process.mjs';
import { printLinkCheck, printPeak, printTransfers } from './stage-bench-text.mjs';
import { makeArtifactFolder } from './stage-folder.mjs';
import { linkTimeMs, overLink } from './stage-link.mjs';
import { preparePeers, transferPackages } from './stage-peers.mjs';
import { downloadRatios, findPeak, linkRatios, uploadRatios } from './stage-ratios.mjs';
import { countBytes, startBenchStore } from './stage-store.mjs';
import { downloadSubjects, floorSubject, stageCommand, uploadSubjects } from './stage-subjects.mjs';
import { measureInTurns } from './stage-turns.mjs';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    mib: { type: 'string', default: '1024' },
    only: { type: 'string' },
    cache: { type: 'string', default: join(tmpdir(), 'optimise-model-bench') },
    'no-peer': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const log = (line) => console.error(line);
const isAsked = (part) => values.only === undefined || values.only === part;
await mkdir(values.cache, { recursive: true });
log('looking for the peers (installed once)');
const { peers, missing } = values['no-peer']
  ? { peers: [], missing: 'left out by --no-peer' }
  : await preparePeers(values.cache);
const meter = await chooseMeter();
const folder = await mkdtemp(join(values.cache, 'stage-'));
const store = await startBenchStore(join(folder, 'state'));
try {
  const result = await compare();
  console.log(values.json ? JSON.stringify(result, null, 2) : printAll(result).join('\n'));
} finally {
  await store.stop();
  await rm(folder, { recursive: true, force: true });
}

async function compare() {
  log(`making ${values.mib} MiB of files`);
  const artifact = await makeArtifact(join(folder, 'artifact'));
  const setting = {
    artifact,
    store,
    peers,
    cache: folder,
    meter,
    log,
    runs: Math.max(1, Number(values.runs)),
  };
  return {
    machine: describeMachine(),
    method: meter.method,
    peers: { packages: transferPackages, missing: missing ?? null },
    artifact: { sizeBytes: artifact.totalBytes, files: artifact.paths.length + 1 },
    upload: isAsked('upload') ? await compareUploads(setting) : null,
    ...(isAsked('download') || isAsked('link') ? await compareDownloads(setting) : {}),
  };
}

async function makeArtifact(path) {
  const made = await makeArtifactFolder(path, Number(values.mib) * 2 ** 20);
  return { ...made, folder: path, totalBytes: await countBytes(path) };
}

async function compareUploads(setting) {
  const subjects = [...uploadSubjects(setting), floorSubject(setting)];
  const rows = await measureInTurns(subjects, { ...setting, title: 'upload' });
  return { rows, ratios: uploadRatios(rows) };
}

async function compareDownloads(setting) {
  const bucket = await store.makeBucket();
  const { exitCode, stderr } = await meter.measure({
    command: stageCommand(setting.artifact.folder, bucket),
  });
  if (exitCode !== 0) throw new Error(`staging ended with ${exitCode}:\n${stderr}`);
  const download = isAsked('download') ? await compareDirectly({ ...setting, bucket }) : null;
  return { download, link: isAsked('link') ? await compareOverLink({ ...setting, bucket }) : null };
}

async function compareDirectly(setting) {
  const subjects = [...downloadSubjects(setting), floorSubject(setting)];
  const rows = await measureInTurns(subjects, { ...setting, title: 'download' });
  return { rows, ratios: downloadRatios(rows) };
}

async function compareOverLink(setting) {
  const { artifact, bucket } = setting;
  const large = {
    key: `store/bench/objects/${artifact.digest}/weights-00.bin`,
    sizeBytes: artifact.sizes[0],
  };
  const subjects = downloadSubjects({ ...setting, peers: peers.filter(({ id }) => id === 's5cmd') });
  const { model, check, result } = await overLink({ store, bucket, ...large }, () =>
    measureInTurns(subjects, { ...setting, title: 'link' }),
  );
  const linkMs = linkTimeMs(artifact.totalBytes);
  return { model, check, linkMs, rows: result, ratios: linkRatios(result, linkMs) };
}

function printAll({ machine, method, artifact, upload, download = null, link = null }) {
  const { sizeBytes, files } = artifact;
  const what = `${(sizeBytes / 1e6).toFixed(0)} MB in ${files} files`;
  const tables = [upload, download, link].filter((table) => table !== null);
  return [
    machineLine(machine),
    `measured by ${method}${missing === undefined ? '' : `; peers absent: ${missing}`}`,
    ...(upload === null ? [] : printTransfers({ title: `upload of ${what}`, sizeBytes, ...upload })),
    ...(download === null ? [] : printTransfers({ title: `download of ${what}`, sizeBytes, ...download })),
    ...(link === null ? [] : printLinkCheck(link)),
    ...(link === null ? [] : printTransfers({ title: `download over the link`, sizeBytes, ...link })),
    ...printPeak(findPeak(tables.map(({ rows }) => rows))),
  ];
}
