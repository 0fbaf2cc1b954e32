import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { printJson } from '../../src/lib/json.js';
import { OptimiseModelError } from '../../src/messages/error.js';
import {
  type Document,
  documentJsonSchema,
  documentSchema,
} from '../../src/report/documents/document-schema.js';
import { writeReports } from '../../src/report/write-reports.js';
import { examples as verbExamples } from './example-results.js';
import { list, promote, prune } from './release-examples.js';
import { sampleSweep, sampleTune } from './sample-sessions.js';

const examples = {
  ...verbExamples,
  'releases list': list,
  'releases promote': promote,
  'releases rollback': promote,
  'releases prune': prune,
};
const accepts = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(documentJsonSchema());
const head = { schemaVersion: 1, toolVersion: '0.1.0', findings: [] };

/** What a reader of stdout gets. */
const printed = (document: unknown): unknown => JSON.parse(printJson(document));

/** Both definitions must agree on every document: the one that types it and the one that is published. */
function judge(document: unknown): boolean {
  const text = printed(document);
  const isAccepted = accepts(text);
  expect(documentSchema.safeParse(text).success).toBe(isAccepted);
  return isAccepted;
}

const error = OptimiseModelError.of('path-not-found', { path: '/nowhere' });
const failure = {
  ...head,
  status: 'error',
  error: {
    code: error.code,
    what: error.message,
    remedy: error.remedy,
    facts: error.facts,
    causes: ['ENOENT'],
  },
};

test('the JSON report of a run is the document that run --json prints', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reports-'));
  try {
    const written = await writeReports(examples.run, folder);
    expect(written.map((file) => file.format)).toEqual(['html', 'markdown', 'json']);
    for (const { path, sizeBytes } of written) expect((await readFile(path)).byteLength).toBe(sizeBytes);
    expect(judge(JSON.parse(await readFile(join(folder, 'result.json'), 'utf8')))).toBe(true);
  } finally {
    await rm(folder, { recursive: true });
  }
});

describe('the published schema of --json documents', () => {
  test.each(Object.entries(examples))(
    'accepts the result of %s, also when a check said no',
    (command, result) => {
      expect(judge({ ...head, command, status: 'ok', result })).toBe(true);
      expect(judge({ ...head, command, status: 'no', result })).toBe(true);
      expect(judge({ ...head, command, status: 'unjudged', result })).toBe(true);
    },
  );

  test.each([...Object.keys(examples), 'optimise-model'])('accepts a failure of %s', (command) => {
    expect(judge({ ...failure, command })).toBe(true);
    expect(judge({ ...failure, command, status: 'interrupted' })).toBe(true);
  });

  test('takes NaN and infinities as the strings that JSON can hold', () => {
    const [output] = examples.validate.outputs;
    const outputs = [
      { ...output, maxAbsError: Number.NaN, neededAtol: Number.POSITIVE_INFINITY, cosine: null },
    ];
    expect(
      judge({ ...head, command: 'validate', status: 'no', result: { ...examples.validate, outputs } }),
    ).toBe(true);
  });

  test('takes the resolved pipeline of a dry run', () => {
    const result = { pipeline: { name: 'vit', variants: [] } };
    expect(judge({ ...head, command: 'run', status: 'ok', result })).toBe(true);
    expect(judge({ ...head, command: 'run', status: 'ok', result: {} })).toBe(false);
  });

  test('takes what tuning and sweeps measured with a run', () => {
    const result = { ...examples.run, tunes: [sampleTune], sweeps: [sampleSweep] };
    expect(judge({ ...head, command: 'run', status: 'ok', result })).toBe(true);
    const wrong = { ...result, sweeps: [{ ...sampleSweep, points: null }] };
    expect(judge({ ...head, command: 'run', status: 'ok', result: wrong })).toBe(false);
  });

  test('takes findings with their facts', () => {
    const findings = examples.run.findings;
    expect(findings.length).toBeGreaterThan(0);
    expect(judge({ ...head, command: 'pick', status: 'ok', result: examples.pick, findings })).toBe(true);
  });

  test.each([
    ['an unknown key', { ...head, command: 'pick', status: 'ok', result: { ...examples.pick, extra: 1 } }],
    ['a result of another command', { ...head, command: 'pick', status: 'ok', result: examples.stage }],
    ['an unknown command', { ...head, command: 'cost', status: 'ok', result: {} }],
    ['a success without a result', { ...head, command: 'pick', status: 'ok' }],
    ['a failure without an error', { ...head, command: 'pick', status: 'error' }],
    ['a result before a command is known', { ...head, command: 'optimise-model', status: 'ok', result: {} }],
    ['another version', { ...head, schemaVersion: 2, command: 'pick', status: 'ok', result: examples.pick }],
    [
      'a missing measurement',
      { ...head, command: 'pick', status: 'ok', result: { ...examples.pick, winner: 0 } },
    ],
  ])('refuses %s', (_name, document) => {
    expect(judge(document)).toBe(false);
  });

  test('gives each command its own type', () => {
    const document: Document = documentSchema.parse({
      ...head,
      command: 'publish',
      status: 'ok',
      result: examples.publish,
    });
    const release =
      document.command === 'publish' && document.status === 'ok' ? document.result?.release : null;
    expect(release).toBe(examples.publish.release);
  });

  test('is draft 2020-12 and the same on every call', () => {
    expect(documentJsonSchema().$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(documentJsonSchema()).toEqual(documentJsonSchema());
  });
});
