import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeImportRow } from '../fixtures/measured-run.js';
import { makeProject, runCli } from './run-cli.js';

const pipeline = `name: tiny
model: ../model.onnx
variants: [{ precision: fp32 }]
bench:
  runs: 1
  warm: 2
  deliveries: [s3-copy, stream]
  link: real
  cache: warm
  price: { usdPerHour: 0.1 }
`;
let folder = '';

beforeAll(async () => {
  folder = await makeProject(pipeline);
  expect((await runCli(['run'], folder)).exitCode).toBe(0);
}, 180_000);

async function pick(...args: readonly string[]) {
  const { exitCode, stdout, stderr } = await runCli(['pick', 'tiny', '--json', ...args], folder);
  return { exitCode, stderr, document: JSON.parse(stdout) };
}

const codesOf = (document: { findings: readonly { code: string }[] }) =>
  document.findings.map(({ code }) => code);

describe('optimise-model pick', () => {
  it('says what is deployed, and records nothing', async () => {
    const record = join(folder, 'artifacts', 'tiny', 'run.json');
    const before = await readFile(record, 'utf8');
    const { exitCode, document } = await pick('--objective', 'cost-per-100k', '--start-modes', 'on-demand');
    expect(exitCode).toBe(0);
    expect(document.result).toMatchObject({ objective: 'costPer100k', winner: { unit: 'usd' } });
    expect(document.result.shipment).toMatchObject({
      variantId: 'fp32.single',
      ephemeralMiB: 512,
      memoryMiB: null,
      samParameters: null,
    });
    expect(await readFile(record, 'utf8')).toBe(before);
  });

  it('weighs several metrics', async () => {
    const { document } = await pick('--weights', 'total=0.7,size=0.3');
    expect(document.result).toMatchObject({
      objective: { weights: { total: 0.7, size: 0.3 } },
      winner: { unit: 'score' },
    });
  });

  it('exits with 1 when nothing is within a limit', async () => {
    const { exitCode, document } = await pick('--max-total-p95', '0.001');
    expect([exitCode, document.status, document.result.winner]).toEqual([1, 'no', null]);
    expect(document.result.shipment).toBeNull();
  });

  it('exits with 1 when another one than expected is picked, and says why', async () => {
    const { document: usual } = await pick();
    const { delivery } = usual.result.winner;
    const met = await pick('--expect', `fp32.single:${delivery}`);
    expect([met.exitCode, met.document.status]).toEqual([0, 'ok']);
    const other = delivery === 'stream' ? 's3-copy' : 'stream';
    const broken = await pick('--expect', `fp32.single:${other}`);
    expect([broken.exitCode, broken.document.status]).toEqual([1, 'no']);
    expect(codesOf(broken.document)).toContain('pick-not-expected');
  });

  it('refuses a name that no candidate has, with the nearest', async () => {
    const { exitCode, document } = await pick('--expect', 'fp32.singel');
    expect(exitCode).toBe(2);
    expect(document.error).toMatchObject({
      code: 'pick-expected-unknown',
      remedy: expect.stringContaining('--expect fp32.single'),
    });
  });

  it('prints no parameters for what is in no bucket', async () => {
    const { exitCode, stdout, stderr } = await runCli(['pick', 'tiny', '--sam-parameters'], folder);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('no S3 bucket');
  });

  it.each(['/nope.json', '.'])('says what was expected in place of %s', async (file) => {
    const { exitCode, document } = await pick('--imported', file);
    expect([exitCode, document.error.code]).toEqual([2, 'import-document-unreadable']);
    expect(document.error.what).toContain('bench import');
  });

  it('refuses a memory that was not measured', async () => {
    const { exitCode, document } = await pick('--memory-mib', '2048');
    expect([exitCode, document.error.code]).toEqual([2, 'pick-memory-not-measured']);
  });

  it('chooses by real runs that were imported, and says of which none came to use', async () => {
    const rows = [
      makeImportRow({ startMode: 'snapstart' }),
      makeImportRow({ variantId: 'fp32.sinlge', calls: 1 }),
    ];
    const file = join(folder, 'lambda.json');
    const result = { rows, invocations: [], environments: [], files: [], findings: [] };
    const head = { schemaVersion: 1, toolVersion: '0.1.0', command: 'bench import', status: 'ok' };
    await writeFile(file, JSON.stringify({ ...head, result, findings: [] }));
    const { document } = await pick('--imported', file, '--start-modes', 'snapstart');
    expect(document.result.winner).toMatchObject({
      ...{ startMode: 'snapstart', memoryMiB: 2048, value: 1040 },
      evidence: [{ kind: 'imported' }],
    });
    const { document: all } = await pick('--imported', file);
    expect(codesOf(all)).toContain('pick-imported-unused');
  });

  it.each([
    [['--objective', 'total', '--weights', 'total=1'], 'both say what is minimised'],
    [['--objective', 'speed'], 'Allowed choices are total, ready, steady, size, cost-per-100k'],
    [['--weights', 'total'], 'METRIC=WEIGHT'],
    [['--weights', 'total=0'], 'above 0'],
    [['--max-size', '-1'], 'above 0'],
    [['--openvino-layer', 'openvino'], 'arn:…:layer:NAME:VERSION'],
    [['--start-modes', 'warm'], 'Allowed choices are on-demand, snapstart, provisioned'],
  ])('refuses %j', async (args, words) => {
    const { exitCode, document } = await pick(...args);
    expect(exitCode).toBe(2);
    expect(document.error.what).toContain(words);
  });
});
