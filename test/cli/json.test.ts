import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { pipelineJsonSchema } from '../../src/pipeline/pipeline-schema.js';
import { documentJsonSchema } from '../../src/report/documents/document-schema.js';
import { makeProject, runCli, streamPipeline } from './run-cli.js';

const schemas = resolve(import.meta.dirname, '../../pipelines/schema');
let folder: string;
let accepts: ValidateFunction;

// Whole runs, of up to thirty processes one after the other: ten seconds alone, many times that beside other tests.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 });

beforeAll(async () => {
  folder = await makeProject(streamPipeline);
  await writeFile(join(folder, 'page.onnx'), '<!doctype html>');
  accepts = new Ajv2020({ allErrors: true }).compile(await readSchema('result'));
});

async function readSchema(name: string): Promise<object> {
  return JSON.parse(await readFile(join(schemas, `${name}.schema.json`), 'utf8'));
}

/** The one document on stdout, checked against the published schema. */
function readDocument(stdout: string) {
  const document = JSON.parse(stdout);
  accepts(document);
  expect(accepts.errors ?? []).toEqual([]);
  return document;
}

describe('the published schemas', () => {
  it('are what the tool itself checks with (else run `npm run schema`)', async () => {
    expect(await readSchema('pipeline')).toEqual(pipelineJsonSchema());
    expect(await readSchema('result')).toEqual(documentJsonSchema());
  });
});

describe('--json', () => {
  const ok: readonly (readonly [string, string[]])[] = [
    ['run', ['run', 'tiny']],
    ['run', ['run', 'tiny', '--dry-run']],
    ['inspect', ['inspect', 'model.onnx']],
    ['convert', ['convert', 'model.onnx', '--out', 'half']],
    ['convert', ['convert', 'model.onnx', '--out', 'bare.onnx', '--precision', 'fp16']],
    ['validate', ['validate', 'model.onnx', 'half']],
    ['check', ['check', 'half']],
    ['stage', ['stage', 'half', '--to', 'store', '--name', 'm']],
    ['fetch', ['fetch', 'artifacts/store/tiny/current.json', '--to', 'fetched']],
    ['bench', ['bench', 'tiny']],
    ['pick', ['pick', 'tiny']],
    ['publish', ['publish', 'tiny']],
    ['report', ['report', 'tiny']],
    ['doctor', ['doctor']],
  ];

  it.each(ok)('prints one valid document on success: %s %j', async (command, args) => {
    const result = await runCli([...args, '--json'], folder);
    const document = readDocument(result.stdout);
    expect(document).toMatchObject({ schemaVersion: 1, command, status: 'ok' });
    expect(document.error).toBeUndefined();
    expect(result.stderr).toBe('');
    expect(result.exitCode).toBe(0);
  });

  it('is what result.json of a run holds as well', async () => {
    const text = await readFile(join(folder, 'artifacts', 'tiny', 'result.json'), 'utf8');
    expect(readDocument(text)).toMatchObject({ command: 'run', status: 'ok' });
  });

  const no: readonly (readonly [string, string[], number])[] = [
    ['validate', ['validate', 'model.onnx', 'half', '--rtol', '0', '--atol', '0'], 1],
    ['check', ['check', 'half', '--require', 'layer', '--ephemeral-mib', '512'], 0],
  ];

  it.each(no)('prints one valid document when a check says no: %s', async (command, args, exitCode) => {
    const result = await runCli([...args, '--json'], folder);
    expect(readDocument(result.stdout)).toMatchObject({
      command,
      status: exitCode === 0 ? 'ok' : 'no',
    });
    expect(result.exitCode).toBe(exitCode);
  });

  const failing: readonly (readonly [string, string[], string])[] = [
    ['inspect', ['inspect', 'missing.onnx'], 'model-not-found'],
    ['convert', ['convert', 'page.onnx', '--out', 'x'], 'model-not-onnx'],
    ['run', ['run', 'nothing'], 'pipeline-not-found'],
    ['bench', ['bench', 'nothing'], 'run-not-found'],
    ['check', ['check', 'nothing'], 'path-not-found'],
    ['convert', ['convert', 'model.onnx', '--out', 'x', '--precision', 'int4'], 'usage-wrong'],
    ['optimise-model', ['cost'], 'usage-wrong'],
    ['fetch', ['fetch', 'nowhere/current.json', '--to', 'x'], 'object-missing'],
  ];

  it.each(failing)('prints one valid document on failure: %s %j', async (command, args, code) => {
    const result = await runCli([...args, '--json'], folder);
    const document = readDocument(result.stdout);
    expect(document).toMatchObject({ command, status: 'error', error: { code } });
    expect(document.error.remedy).not.toBe('');
    expect(result.stderr).toBe('');
    expect(result.exitCode).toBeGreaterThan(1);
  });
});
