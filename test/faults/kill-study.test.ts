import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchArtifact } from '../../src/stage/fetch-artifact.js';
import type { ArtifactRecord } from '../../src/store/artifact-record.js';
import { seededBytes, writeOpaqueArtifact } from '../fixtures/opaque-artifact.js';
import { choiceOf, releasedOf } from '../fixtures/opaque-release.js';
import { makeBucket } from '../services/bucket.js';
import { type FaultProxy, startFaultProxy } from '../services/fault-proxy.js';
import { requireS3, startS3IfFound, useS3 } from '../services/require-s3.js';
import type { RunningS3 } from '../services/versitygw.mjs';
import { chooseKillPoints, type KillPoint, nameStep } from './kill-points.js';
import { type Command, commandPath, observe, publishPath, runAndKill, runThrough } from './killed-command.js';
import { hashFolder, PlainStore } from './plain-store.js';

/** How often each study kills; `npm run study:kill` sets 100. */
const kills = Number(process.env.OPTIMISE_MODEL_KILLS ?? 6);
const patienceMs = 60_000 + kills * 10_000;
const atOnce = pLimit(2);

let s3: RunningS3;
let running: RunningS3 | undefined;
let proxy: FaultProxy;
let folder: string;
let old: ArtifactRecord;
let record: ArtifactRecord;

beforeAll(async () => {
  running = await startS3IfFound();
  if (running === undefined) return;
  s3 = running;
  proxy = await startFaultProxy(s3);
  // This process looks past the proxy.
  useS3(s3);
  folder = await mkdtemp(join(tmpdir(), 'kills-'));
  // Two parts to send, and three ranges to read.
  const contents = { 'model.onnx': seededBytes(70_000, 8), 'model.onnx.data': seededBytes(5_300_001, 9) };
  old = await writeOpaqueArtifact(join(folder, 'old'), { 'model.onnx': seededBytes(50_000, 7) });
  record = await writeOpaqueArtifact(join(folder, 'new'), contents);
});
afterAll(async () => {
  await proxy?.stop();
  await running?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

/** Where one command is killed: a bucket with the old release in it, and a folder. */
type Scene = {
  readonly bucket: string;
  readonly store: PlainStore;
  readonly place: string;
  readonly clear: () => Promise<void>;
};

async function setScene(): Promise<Scene> {
  const { name } = await makeBucket(s3);
  const store = new PlainStore(s3, name, 'models/vit/');
  await store.putArtifact(old, join(folder, 'old'));
  await store.putRelease(old);
  const place = await mkdtemp(join(folder, 'scene-'));
  await Promise.all(['out', 'state/uploads'].map((part) => mkdir(join(place, part), { recursive: true })));
  const clear = async (): Promise<void> => {
    for (const path of [place, join(s3.folder, name)]) await rm(path, { recursive: true, force: true });
  };
  return { bucket: name, store, place, clear };
}

function commandOf(verb: Command['verb'], { bucket, place }: Scene, args: readonly string[]): Command {
  const env = {
    AWS_ENDPOINT_URL_S3: proxy.endpoint,
    AWS_ACCESS_KEY_ID: s3.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
    AWS_REGION: 'us-east-1',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_EC2_METADATA_DISABLED: 'true',
    OPTIMISE_MODEL_STATE: join(place, 'state'),
  };
  return { verb, args, env, bucket, folder: place };
}

function stageCommand(scene: Scene): Command {
  const to = ['--to', `s3://${scene.bucket}/models`, '--name', 'vit', '--part-size', '5'];
  return commandOf('stage', scene, [commandPath, 'stage', join(folder, 'new'), ...to]);
}

function publishCommand(scene: Scene, now: string): Command {
  const about = { name: 'vit', reason: 'the fastest', to: 'current', now };
  const what = { chosen: choiceOf(record), artifacts: [releasedOf(record)] };
  const options = { storeUrl: `s3://${scene.bucket}/models`, ...what, ...about };
  return commandOf('publish', scene, [publishPath, JSON.stringify(options)]);
}

function fetchCommand(scene: Scene): Command {
  const url = `s3://${scene.bucket}/models/vit/current.json`;
  const to = ['--to', join(scene.place, 'out', 'model'), '--part-size', '2'];
  return commandOf('fetch', scene, [commandPath, 'fetch', url, ...to]);
}

/** What came of one kill. */
type Outcome = { readonly step: string; readonly saw: string; readonly wasKilled: boolean };

/** Goes on after a kill that shows something wrong, so that all is known in the end. */
async function tryKills(
  title: string,
  points: readonly KillPoint[],
  kill: (point: KillPoint) => Promise<Outcome>,
): Promise<void> {
  const wrong: string[] = [];
  const outcomeOf = async (point: KillPoint): Promise<Outcome> => {
    try {
      const outcome = await kill(point);
      // The command was faster than the one that was timed: its moment has to be an earlier one.
      const isLate = point.kind === 'delay' && !outcome.wasKilled;
      return isLate ? outcomeOf({ ...point, share: point.share / 2 }) : outcome;
    } catch (error) {
      const step = nameStep(point);
      wrong.push(`${step}: ${error instanceof Error ? error.message : String(error)}`);
      return { step, saw: 'SOMETHING WRONG', wasKilled: true };
    }
  };
  const outcomes = await Promise.all(points.map((point) => atOnce(() => outcomeOf(point))));
  if (process.env.OPTIMISE_MODEL_KILLS !== undefined) report(title, outcomes);
  expect(wrong).toEqual([]);
  expect(outcomes.filter(({ wasKilled }) => wasKilled).length).toBeGreaterThanOrEqual(kills * 0.95);
}

/** What a reader gets who follows `current.json` into a fresh folder. */
async function readRelease({ bucket, place }: Scene): Promise<string> {
  const to = join(await mkdtemp(join(place, 'reader-')), 'model');
  const url = `s3://${bucket}/models/vit/current.json`;
  const { digest } = await fetchArtifact({ url, to, concurrency: 4, partSizeBytes: 5 * 1024 ** 2 });
  const which = digest === old.digest ? 'old' : digest === record.digest ? 'new' : digest;
  expect(await hashFolder(to)).toEqual(await hashFolder(join(folder, which)));
  return `the ${which} release`;
}

async function killStaging(point: KillPoint, contentMs: number): Promise<Outcome> {
  const scene = await setScene();
  const [stage, publish] = [stageCommand(scene), publishCommand(scene, '2026-12-01T08:00:00Z')];
  if (point.verb === 'publish') await scene.store.putArtifact(record, join(folder, 'new'), 'as staged');
  const killed = point.verb === 'publish' ? publish : stage;
  const { wasKilled } = await runAndKill(proxy, killed, point, contentMs);
  const step = nameStep(point);
  expect({ step, ...(await scene.store.survey()) }).toMatchObject({ problems: [] });
  const saw = await readRelease(scene);
  // The next run of the same commands.
  expect({ step, ...(await runThrough(proxy, stage)) }).toMatchObject({ step, exitCode: 0 });
  const next = publishCommand(scene, '2026-12-01T08:00:01Z');
  expect({ step, ...(await runThrough(proxy, next)) }).toMatchObject({ step, exitCode: 0 });
  expect(await readRelease(scene)).toBe('the new release');
  expect({ step, ...(await scene.store.survey()) }).toMatchObject({ step, problems: [], openUploads: 0 });
  const notes = await readdir(join(scene.place, 'state', 'uploads'));
  expect(notes.join(', '), step).toBe('');
  await scene.clear();
  return { step, saw, wasKilled };
}

async function killFetching(point: KillPoint, contentMs: number): Promise<Outcome> {
  const scene = await setScene();
  await scene.store.putArtifact(record, join(folder, 'new'));
  await scene.store.putRelease(record);
  const out = join(scene.place, 'out');
  const { wasKilled } = await runAndKill(proxy, fetchCommand(scene), point, contentMs);
  const step = nameStep(point);
  const isThere = (await readdir(out)).includes('model');
  if (isThere) expect(await hashFolder(join(out, 'model'))).toEqual(await hashFolder(join(folder, 'new')));
  expect({ step, ...(await runThrough(proxy, fetchCommand(scene))) }).toMatchObject({ step, exitCode: 0 });
  expect({ step, left: await readdir(out) }).toEqual({ step, left: ['model'] });
  expect(await hashFolder(join(out, 'model'))).toEqual(await hashFolder(join(folder, 'new')));
  expect(await scene.store.survey()).toMatchObject({ problems: [], openUploads: 0 });
  await scene.clear();
  return { step, saw: isThere ? 'the whole folder' : 'no folder', wasKilled };
}

const file = (verb: Command['verb'], step: string, path: RegExp) =>
  ({ kind: 'file', verb, step, path }) as const;
const stageFiles = [
  file('stage', 'the journal gets a note', /uploads\/[0-9a-f]+\.json$/),
  file('stage', 'a note is being written', /uploads\/\.[^/]*\.part$/),
];
const fetchFiles = [
  file('fetch', 'the folder beside the target appears', /out\/\.model\.[^/]*\.part$/),
  file('fetch', 'a file in it appears', /\.part\/.*model\.onnx\.data/),
  file('fetch', 'another file in it appears', /\.part\/.*model\.onnx$/),
  file('fetch', 'artifact.json appears', /\.part\/artifact\.json$/),
  file('fetch', 'the folder gets its name', /out\/model$/),
];

function report(title: string, outcomes: readonly Outcome[]): void {
  const rows = new Map<string, number>();
  for (const { step, saw, wasKilled } of outcomes) {
    const row = `${step.padEnd(70)} ${wasKilled ? saw : `${saw} (it had ended before)`}`;
    rows.set(row, (rows.get(row) ?? 0) + 1);
  }
  const lines = [...rows].map(([row, count]) => `${String(count).padStart(4)}  ${row}`);
  console.log([`${title}: ${outcomes.length} kills, and what a reader saw then`, ...lines].join('\n'));
}

describe('a command that is killed at any moment', () => {
  it(
    'has staged and published all or nothing, and the next run cleans up',
    async (context) => {
      await requireS3(context, running);
      const scene = await setScene();
      const stage = await observe(proxy, stageCommand(scene));
      const publish = await observe(proxy, publishCommand(scene, '2026-12-01T08:00:00Z'));
      expect([stage, publish]).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }]);
      const points = chooseKillPoints([stage, publish], stageFiles, kills);
      await tryKills('stage and publish', points, (point) => killStaging(point, stage.contentMs));
    },
    patienceMs,
  );

  it(
    'has fetched the whole artifact or nothing, and the next run cleans up',
    async (context) => {
      await requireS3(context, running);
      const scene = await setScene();
      await scene.store.putArtifact(record, join(folder, 'new'));
      await scene.store.putRelease(record);
      const fetch = await observe(proxy, fetchCommand(scene));
      expect(fetch).toMatchObject({ exitCode: 0 });
      const points = chooseKillPoints([fetch], fetchFiles, kills);
      await tryKills('fetch', points, (point) => killFetching(point, fetch.contentMs));
    },
    patienceMs,
  );
});
