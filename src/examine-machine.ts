import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { availableParallelism, cpus, freemem, tmpdir, totalmem } from 'node:os';
import { readCpuQuota } from './lib/cpu-quota.js';
import { formatBytes } from './lib/format-quantity.js';
import { toolVersion } from './lib/tool-version.js';
import type { DoctorReport } from './report/documents/run-result.js';
import { probeRuntimes } from './runtimes/probe-runtimes.js';
import { openStore } from './store/open-store.js';

type Section = DoctorReport['sections'][number];

/**
 * Looks at what the commands would use on this machine. Nothing is changed, and no runtime is loaded.
 *
 * @param store - A store that is asked for its first object as well; undefined to ask none.
 * @param env - Environment variables.
 * @returns Sections of name, value and note.
 * @throws The store's error when one is named and does not answer as it should.
 */
export async function examineMachine(
  store: string | undefined,
  env: NodeJS.ProcessEnv = process.env,
): Promise<DoctorReport> {
  const sections = await Promise.all([
    examineTool(),
    examineRuntimes(),
    examineProcessor(),
    examineStorage(),
    examineS3(env),
    ...(store === undefined ? [] : [examineStore(store)]),
  ]);
  return { sections };
}

async function examineTool(): Promise<Section> {
  return {
    title: 'Tool',
    rows: [
      ['optimise-model', toolVersion, ''],
      ['Node.js', process.versions.node, `${process.platform}/${process.arch}`],
    ],
  };
}

async function examineRuntimes(): Promise<Section> {
  const probes = await probeRuntimes();
  return {
    title: 'Runtimes',
    rows: probes.map((probe) =>
      probe.found
        ? [probe.engine, probe.version, `library ${formatBytes(probe.librarySizeBytes)}, in ${probe.path}`]
        : [probe.engine, 'missing', `${probe.reason} ${probe.remedy}`],
    ),
  };
}

async function examineProcessor(): Promise<Section> {
  const quota = await readCpuQuota();
  return {
    title: 'Processor and memory',
    rows: [
      ['processor', cpus()[0]?.model.trim() || 'unknown', `${cpus().length} on this machine`],
      ['usable', String(availableParallelism()), 'threads of a session when nothing else is said'],
      ['quota', quota.cpus === null ? 'none' : `${quota.cpus} CPU`, quota.origin],
      ['memory', formatBytes(totalmem()), `${formatBytes(freemem())} free`],
    ],
  };
}

async function examineStorage(): Promise<Section> {
  const folder = tmpdir();
  const { bavail, bsize, type } = await statfs(folder);
  const isMemory = type === 0x01021994;
  const canDrop = await access('/proc/sys/vm/drop_caches', constants.W_OK).then(
    () => true,
    () => false,
  );
  return {
    title: 'Storage',
    rows: [
      ['temporary folder', folder, isMemory ? 'in memory (tmpfs)' : 'on disk'],
      ['free there', formatBytes(bavail * bsize), ''],
      [
        'page cache',
        canDrop ? 'drop_caches looks writable' : 'cannot be dropped',
        'bench reads its files before each sample and says so',
      ],
    ],
  };
}

async function examineS3(env: NodeJS.ProcessEnv): Promise<Section> {
  // The AWS SDK is too heavy to be loaded with every command.
  const { probeS3 } = await import('./aws/probe-s3.js');
  const { endpoint, credentials } = await probeS3(env);
  return {
    title: 'S3',
    rows: [
      ['endpoint', endpoint, 'AWS_ENDPOINT_URL_S3, AWS_REGION'],
      ['credentials', credentials ?? 'none', credentials === null ? 'needed for s3:// stores only' : ''],
    ],
  };
}

async function examineStore(url: string): Promise<Section> {
  const store = await openStore(url);
  for await (const object of store.list('')) {
    return { title: 'Store', rows: [[store.url, 'answers', `first object: ${object.key}`]] };
  }
  return { title: 'Store', rows: [[store.url, 'answers', 'empty']] };
}
