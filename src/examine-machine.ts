import { statfs } from 'node:fs/promises';
import { cpus, freemem, tmpdir, totalmem } from 'node:os';
import { examineBenchGround } from './examine-bench-ground.js';
import { examineRuntimes } from './examine-runtimes.js';
import { chooseThreads, readCpuEnvironment } from './lib/cpu-quota.js';
import { formatBytes } from './lib/format-quantity.js';
import { isInMemory } from './lib/in-memory.js';
import { toolVersion } from './lib/tool-version.js';
import { asOptimiseModelError } from './messages/as-error.js';
import type { DoctorReport } from './report/documents/run-result.js';
import { openStore } from './store/open-store.js';

type Section = DoctorReport['sections'][number];

/** What was seen; `isHealthy` is false when a store that was named does not answer as it should. */
export type Examination = { readonly report: DoctorReport; readonly isHealthy: boolean };

function row(name: string, value: string, note: string): Section['rows'][number] {
  return { name, value, note };
}

/**
 * Looks at what the commands would use on this machine. Nothing stays changed, and no runtime is loaded into this process.
 *
 * @param store - A store that is asked for its first object as well; undefined to ask none.
 * @param env - Environment variables.
 * @returns Sections of name, value and note, and whether the store answered.
 */
export async function examineMachine(
  store: string | undefined,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Examination> {
  const sections = await Promise.all([
    examineTool(),
    examineRuntimes(),
    examineProcessor(),
    examineStorage(),
    examineBenchGround(tmpdir()),
    examineS3(env),
  ]);
  const asked = store === undefined ? undefined : await examineStore(store);
  return {
    report: { sections: [...sections, ...(asked === undefined ? [] : [asked.section])] },
    isHealthy: asked?.answers ?? true,
  };
}

async function examineTool(): Promise<Section> {
  return {
    title: 'Tool',
    rows: [
      row('optimise-model', toolVersion, ''),
      row('Node.js', process.versions.node, `${process.platform}/${process.arch}`),
    ],
  };
}

async function examineProcessor(): Promise<Section> {
  const choice = chooseThreads(readCpuEnvironment());
  return {
    title: 'Processor and memory',
    rows: [
      row('processor', cpus()[0]?.model.trim() || 'unknown', `${cpus().length} on this machine`),
      row(
        'threads',
        String(choice.threads),
        choice.warning ?? `of a session when nothing else is said: ${choice.origin}`,
      ),
      row('memory', formatBytes(totalmem()), `${formatBytes(freemem())} free`),
    ],
  };
}

async function examineStorage(): Promise<Section> {
  const folder = tmpdir();
  const found = await statfs(folder).catch(() => undefined);
  const isMemory = found !== undefined && (await isInMemory(folder));
  const place = isMemory ? 'in memory (tmpfs)' : 'on disk';
  const kind = found === undefined ? 'missing: set TMPDIR to a folder' : place;
  return {
    title: 'Storage',
    rows: [
      row('temporary folder', folder, kind),
      row('free there', found === undefined ? '–' : formatBytes(found.bavail * found.bsize), ''),
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
      row('endpoint', endpoint, 'AWS_ENDPOINT_URL_S3, AWS_REGION'),
      row('credentials', credentials ?? 'none', credentials === null ? 'needed for s3:// stores only' : ''),
    ],
  };
}

async function examineStore(url: string): Promise<{ readonly section: Section; readonly answers: boolean }> {
  const say = (value: string, note: string, answers: boolean) => ({
    section: { title: 'Store', rows: [row(url, value, note)] },
    answers,
  });
  try {
    const store = await openStore(url);
    for await (const object of store.list('')) return say('answers', `first object: ${object.key}`, true);
    return say('answers', 'nothing in it yet', true);
  } catch (thrown) {
    const error = asOptimiseModelError(thrown);
    return say('does not answer', `${error.message} ${error.remedy}`, false);
  }
}
