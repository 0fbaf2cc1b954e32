// Plain JavaScript, so that benchmarks and `npm run services:install` need no TypeScript loader.
import { execFile, spawn } from 'node:child_process';
import { access, chmod, constants, mkdtemp, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const startPatienceMs = 20_000;

/**
 * A bucket mounted as a folder, and how to unmount it.
 * @typedef {{ folder: string, stop: () => Promise<void> }} MountedBucket
 */

/** s3fs, a FUSE file system over S3: the real mount that the tests and benchmarks read through. */
export const s3fs = { name: 's3fs', find, install, start, whyNot };

/**
 * Looks for the program on PATH.
 * @returns {Promise<string | undefined>} Its path.
 */
async function find() {
  if ((await whatIsMissing()) !== undefined) return undefined;
  return findProgram('s3fs');
}

/**
 * Says why nothing can be mounted, and what to do about it.
 * @returns {Promise<string | undefined>} The reason; undefined when it can.
 */
async function whyNot() {
  return whatIsMissing();
}

async function whatIsMissing() {
  if ((await findProgram('s3fs')) === undefined) {
    return 's3fs is not on PATH; `npm run services:install` installs it as root on Debian, else `apt-get install s3fs`';
  }
  const isThere = await access('/dev/fuse', constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  );
  return isThere
    ? undefined
    : '/dev/fuse is missing or may not be opened: FUSE mounts are not permitted here';
}

/**
 * Installs it from the distribution, unless it is there already.
 * @returns {Promise<string>} Its path.
 */
async function install() {
  const found = await findProgram('s3fs');
  if (found !== undefined) return found;
  const packages = ['install', '-y', '--no-install-recommends', 's3fs'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await run('apt-get', packages, { env }).catch(async () => {
      await run('apt-get', ['update'], { env });
      return run('apt-get', packages, { env });
    });
  } catch (cause) {
    throw new Error(
      'Could not install s3fs: `apt-get install s3fs` has to run as root, on Debian or Ubuntu',
      {
        cause,
      },
    );
  }
  return (await findProgram('s3fs')) ?? 's3fs';
}

/**
 * Mounts a bucket, for reading, with nothing of it cached on disk.
 * @param {{ endpoint: string, accessKeyId: string, secretAccessKey: string }} s3 The server.
 * @param {string} bucket Its name.
 * @returns {Promise<MountedBucket>} The mount, ready to be read.
 */
async function start(s3, bucket) {
  const program = await find();
  if (program === undefined) throw new Error(await whyNot());
  const work = await mkdtemp(join(tmpdir(), 'optimise-model-s3fs-'));
  const folder = await mkdtemp(join(tmpdir(), 'optimise-model-mount-'));
  const passwords = join(work, 'passwd');
  await writeFile(passwords, `${s3.accessKeyId}:${s3.secretAccessKey}\n`, { mode: 0o600 });
  await chmod(passwords, 0o600);
  const options = [`url=${s3.endpoint}`, `passwd_file=${passwords}`, 'use_path_request_style', 'ro'];
  const args = [bucket, folder, '-f', ...options.flatMap((option) => ['-o', option])];
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const stop = () => unmount(child, folder, work);
  try {
    await untilMounted(child, folder);
  } catch (error) {
    await stop();
    throw error;
  }
  return { folder, stop };
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} folder
 */
async function untilMounted(child, folder) {
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-2000);
  });
  child.once('error', (error) => {
    said = error.message;
  });
  const deadline = Date.now() + startPatienceMs;
  while (Date.now() < deadline && child.exitCode === null) {
    if (await isMounted(folder)) return;
    await sleep(50);
  }
  throw new Error(`s3fs did not mount: ${said || 'it gave no reason'}`);
}

/** @param {string} folder */
async function isMounted(folder) {
  const table = await readFile('/proc/self/mounts', 'utf8');
  return table.split('\n').some((line) => line.split(' ')[1] === folder);
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} folder
 * @param {string} work
 */
async function unmount(child, folder, work) {
  for (let turn = 0; turn < 50 && (await isMounted(folder)); turn += 1) {
    await run('fusermount', ['-u', folder]).catch(() => run('umount', [folder]).catch(() => undefined));
    if (await isMounted(folder)) await sleep(100);
  }
  child.kill();
  await rm(work, { recursive: true, force: true });
  // Never recursively: while it is mounted, what is in it is the bucket's.
  await rmdir(folder).catch(() => undefined);
}

/** @param {string} name */
async function findProgram(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (folder !== '' && isThere) return path;
  }
  return undefined;
}
