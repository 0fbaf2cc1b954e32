import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentSchema } from '../../src/report/documents/document-schema.js';
import { runCli } from './run-cli.js';

const logs = resolve(import.meta.dirname, '../bench/import/logs');
const files = readdirSync(logs)
  .filter((name) => !name.includes('node_loader'))
  .map((name) => join(logs, name));

describe('bench import', () => {
  it('prints tables and a snippet for the pipeline file', async () => {
    const { exitCode, stdout } = await runCli(['bench', 'import', ...files], logs);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('src_lambda_openvino_snapstart');
    expect(stdout).toContain('    s3-copy: { ms: 340,');
  });

  it('prints one document by the published schema', async () => {
    const { exitCode, stdout } = await runCli(['bench', 'import', ...files, '--json'], logs);
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
