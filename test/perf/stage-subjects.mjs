// What `bench-stage.mjs` measures: `stage` and `fetch` of the built program, their peers, and the least that it can take.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countBytes } from './stage-store.mjs';

const program = fileURLToPath(new URL('../../dist/bin.js', import.meta.url));
const floor = fileURLToPath(new URL('stage-floor.mjs', import.meta.url));
/** Name of the model in the store. */
const name = 'bench';

/**
 * Makes the command that stages an artifact.
 * @param {string} folder - The artifact.
 * @param {string} bucket - Where to.
 * @returns {string[]} Program and arguments.
 */
export function stageCommand(folder, bucket) {
  return [process.execPath, program, 'stage', folder, '--to', `s3://${bucket}/store`, '--name', name];
}

/**
 * Lists who sends an artifact, each into a bucket of its own.
 * @param {object} setting - `artifact` (folder and sizes), `store`, `peers`.
 * @returns {import('./stage-turns.mjs').TransferSubject[]} The subjects, ours first.
 */
export function uploadSubjects({ artifact, store, peers }) {
  const into = ({ id, label, ignores }, commandTo) => {
    let bucket = '';
    return {
      ...{ id, label, ignores },
      prepare: async () => {
        bucket = await store.makeBucket();
        return commandTo(bucket);
      },
      check: async () => findMissing(await store.bytesIn(bucket, 'store'), artifact),
      clear: () => store.emptyBucket(bucket),
    };
  };
  const ours = { id: 'ours', label: 'optimise-model stage' };
  return [
    into(ours, (bucket) => stageCommand(artifact.folder, bucket)),
    ...peers.map((peer) => into(peer, (bucket) => peer.copy(artifact.folder, `s3://${bucket}/store`))),
  ];
}

/**
 * Lists who downloads a staged artifact, each into a new folder.
 * @param {object} setting - `artifact`, `bucket` it is staged in, `cache`, `peers`.
 * @returns {import('./stage-turns.mjs').TransferSubject[]} The subjects, ours first.
 */
export function downloadSubjects({ artifact, bucket, cache, peers }) {
  const from = `s3://${bucket}/store/${name}/objects/${artifact.digest}`;
  const ours = { id: 'ours', label: 'optimise-model fetch' };
  const fetching = [process.execPath, program, 'fetch', `${from}/artifact.json`, '--to'];
  return [
    toFolder(ours, artifact, cache, (folder) => [...fetching, folder]),
    ...peers.map((peer) => toFolder(peer, artifact, cache, (folder) => peer.copy(from, folder))),
  ];
}

/**
 * Makes the subject that copies and hashes without any network.
 * @param {object} setting - `artifact`, `cache`.
 * @returns {import('./stage-turns.mjs').TransferSubject} It.
 */
export function floorSubject({ artifact, cache }) {
  const about = { id: 'floor', label: 'floor: copy the files, SHA-256 of each' };
  return toFolder(about, artifact, cache, (folder) => [process.execPath, floor, artifact.folder, folder]);
}

function toFolder({ id, label, ignores }, artifact, cache, commandTo) {
  const folder = join(cache, `fetched-${id}`);
  return {
    ...{ id, label, ignores },
    prepare: async () => {
      await rm(folder, { recursive: true, force: true });
      return commandTo(folder);
    },
    check: async () => findMissing(await countBytes(folder), artifact),
    clear: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Everybody takes `artifact.json` along. */
function findMissing(bytes, { totalBytes }) {
  return bytes === totalBytes ? undefined : `${bytes} bytes arrived, ${totalBytes} were to`;
}
