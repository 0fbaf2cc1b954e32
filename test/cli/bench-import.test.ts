import { readdirSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentSchema } from '../../src/report/documents/document-schema.js';
import { type CliResult, makeProject, oneVariant, runCli } from './run-cli.js';

const logs = resolve(import.meta.dirname, '../bench/import/logs');
const files = readdirSync(logs)
  .filter((name) => !name.includes('node_loader'))
  .map((name) => join(logs, name));
/** Several tests read it. */
let imported: CliResult;

beforeAll(async () => {
  imported = await runCli(['bench', 'import', ...files, '--json'], logs);
});

describe('bench import', () => {
  it('prints tables and a snippet for the pipeline file', async () => {
    const { exitCode, stdout } = await runCli(['bench', 'import', ...files], logs);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('src_lambda_openvino_snapstart');
    expect(stdout).toContain('    s3-copy: { ms: 340,');
  });

  it('prints one document by the published schema', () => {
    const { exitCode, stdout } = imported;
    expect(exitCode).toBe(0);
    expect(documentSchema.parse(JSON.parse(stdout))).toMatchObject({ command: 'bench import', status: 'ok' });
  });

  it('ends with 2 when a field is missing, and says so in its document', async () => {
    const [first = ''] = files.filter((name) => name.endsWith('vanilla_pytorch.events.json'));
    const { exitCode, stdout } = await runCli(['bench', 'import', first, '--json'], logs);
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      command: 'bench import',
      error: { code: 'import-fields-missing' },
    });
  });

  it('takes no option of the measurement that it stands below', async () => {
    const { exitCode, stderr } = await runCli(['bench', 'import', ...files, '--runs', '3'], logs);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--runs');
    const help = await runCli(['bench', 'import', '--help'], logs);
    expect(help.stdout).not.toContain('--runs');
  });
});

describe('real runs beside a benchmark', () => {
  let project = '';

  beforeAll(async () => {
    project = await makeProject(oneVariant);
    await writeFile(join(project, 'lambda.json'), imported.stdout);
    const run = await runCli(['run', 'tiny'], project);
    expect(run.exitCode).toBe(0);
  }, 60_000);
  afterAll(() => rm(project, { recursive: true, force: true }));

  it('stand in one table of every report of the run', async () => {
    const { exitCode, stdout } = await runCli(['report', 'tiny', '--imported', 'lambda.json'], project);
    expect(exitCode).toBe(0);
    const read = (name: string) => readFile(join(project, 'artifacts', 'tiny', name), 'utf8');
    for (const text of [stdout, await read('report.md'), await read('report.html')]) {
      expect(text).toContain('The six metrics here and on Lambda');
      expect(text).toMatch(/src\\?_lambda\\?_openvino\\?_snapstart/);
    }
    const document = JSON.parse(await read('result.json'));
    expect(documentSchema.parse(document)).toMatchObject({ result: { imported: [{ rows: {} }] } });
    await runCli(['report', 'tiny'], project);
    expect(await read('report.html')).not.toContain('Lambda');
  }, 60_000);

  it('stand in one table of bench import, for the run that is named', async () => {
    const { exitCode, stdout } = await runCli(['bench', 'import', ...files, '--run', 'tiny'], project);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('The six metrics here and on Lambda');
    expect(stdout).toContain('fp32.single by s3-copy');
    const other = await runCli(['bench', 'import', ...files, '--run', 'other'], project);
    expect(other.exitCode).toBe(2);
    expect(other.stdout).toBe('');
  }, 60_000);

  it('end with 2 when the file is another, and leave the reports as they are', async () => {
    const [log = ''] = files;
    const before = await readFile(join(project, 'artifacts', 'tiny', 'result.json'), 'utf8');
    const { exitCode, stdout } = await runCli(['report', 'tiny', '--imported', log, '--json'], project);
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ command: 'report', error: { code: 'import-document-wrong' } });
    expect(await readFile(join(project, 'artifacts', 'tiny', 'result.json'), 'utf8')).toBe(before);
  });
});
