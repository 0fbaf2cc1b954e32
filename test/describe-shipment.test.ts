import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type ShippedRun, shipPick } from '../src/describe-shipment.js';
import { pickWinner } from '../src/pick/pick-winner.js';
import { preparePick } from '../src/pick-candidates.js';
import type { RunVariant } from '../src/run-pipeline.js';
import { tellApart } from '../src/tell-apart.js';
import { makeBench, makeBudgets, makePipeline, makeSamples, makeVariant } from './fixtures/measured-run.js';

type Traits = {
  readonly content?: object;
  readonly variant?: RunVariant;
  readonly delivery?: string;
  readonly writtenBytes?: number;
  readonly release?: string;
};

function ship({ content = {}, variant = makeVariant(), delivery = 's3-copy', ...traits }: Traits = {}) {
  const pipeline = makePipeline({ bench: { deliveries: [delivery], memoryMiB: 2048 }, ...content });
  const samples = makeSamples({ variantId: variant.id, memoryMiB: 2048, delivery: delivery as 's3-copy' });
  const bench = makeBench(samples, { [delivery]: { ms: 1, source: 's' } });
  const budgets = makeBudgets([variant], [delivery as 's3-copy'], traits.writtenBytes);
  const ground = { pipeline, variants: [variant], budgets, bench, leftOut: [] };
  const picked = pickWinner(preparePick(ground, [], null).options, tellApart);
  const publish = traits.release === undefined ? null : { release: traits.release };
  const run = { ...ground, pick: picked, publish } as unknown as ShippedRun;
  return shipPick(run, picked).shipment;
}

const openvino = makeVariant({ engine: 'openvino', layout: 'ir' });
const openvinoLayer = 'arn:aws:lambda:eu-central-1:123456789012:layer:openvino:3';
const layered = { pick: { openvinoLayer } };

/** The same, made for a processor. */
function bindTo(architecture: string, instructionSets: readonly string[]): RunVariant {
  const { requires } = openvino.record;
  const boundTo = { kind: 'compiled-blob', engineVersion: '2026.4.1', instructionSets } as const;
  return { ...openvino, record: { ...openvino.record, requires: { ...requires, architecture, boundTo } } };
}

describe('what is shipped', () => {
  it('is named by digest and address, with memory, storage and engine', () => {
    const shipment = ship({ writtenBytes: 600 * 1024 ** 2 });
    expect(shipment).toMatchObject({
      ...{ variantId: 'fp32.single', delivery: 's3-copy', startMode: 'on-demand', memoryMiB: 2048 },
      artifactKey: expect.stringMatching(/^m\/objects\/[0-9a-f]{64}\/artifact\.json$/),
      ...{ engine: 'onnxruntime', engineVersion: '1.30.0', ephemeralMiB: 640, threads: null, binding: null },
    });
    expect(shipment?.artifactUrl).toBe(`s3://b/p/${shipment?.artifactKey}`);
  });

  it('asks for what every function has where nothing is written', () => {
    expect(ship({ delivery: 'lazy' })?.ephemeralMiB).toBe(512);
  });

  it('opens the artifact by the delivery that won while no release says it', () => {
    const shipment = ship();
    expect(shipment?.environment).toEqual({
      MODEL_SOURCE: shipment?.artifactUrl,
      MODEL_DELIVERY: 's3-copy',
    });
  });

  it('is pinned to the release that was published with it', () => {
    expect(ship({ release: 'r1' })?.environment).toEqual({
      MODEL_SOURCE: 's3://b/p/m/current.json',
      OPTIMISE_MODEL_RELEASE: 'r1',
    });
  });

  it('has the session of the expanded form by stream', () => {
    expect([ship()?.session?.prepacking, ship({ delivery: 'stream' })?.session?.prepacking]).toEqual([
      true,
      false,
    ]);
  });

  it('has no session options for OpenVINO, and leaves it to the loader where that lies', () => {
    const shipment = ship({ variant: openvino });
    expect(shipment).toMatchObject({ engineVersion: '2026.4.1', session: null });
    expect(Object.keys(shipment?.environment ?? {})).toEqual(['MODEL_SOURCE', 'MODEL_DELIVERY']);
  });

  it('is nothing without a winner', () => {
    const failed = { parity: { verdict: 'fail', reason: 'far off', outputs: [] } } as unknown as RunVariant;
    expect(ship({ variant: makeVariant({}, failed) })).toBeNull();
  });
});

describe('parameters for SAM', () => {
  const bindable = { pick: { openvinoLayer, require: { bound: 'any' } } };
  const provisioned = { pick: { startModes: { 'on-demand': false, provisioned: { processes: 3 } } } };

  it('are all of the template, within what it takes', async () => {
    const [plain, pinned] = [ship(), ship({ release: 'r1' })];
    const shipped = [plain, pinned, ship({ content: withModes(provisioned) })];
    shipped.push(ship({ variant: openvino, content: layered }));
    const path = resolve(import.meta.dirname, '../pipelines/lambda/template.yaml');
    const { Parameters: known } = parse(await readFile(path, 'utf8'), { logLevel: 'silent' });
    for (const shipment of shipped) {
      expect(Object.keys(known)).toEqual(expect.arrayContaining(Object.keys(shipment?.samParameters ?? {})));
    }
    expect(shipped[0]?.samParameters).toEqual({
      ModelBucket: 'b',
      ModelSource: shipped[0]?.artifactUrl,
      ModelDelivery: 's3-copy',
      LoaderMemoryMiB: '2048',
      LoaderEphemeralMiB: '512',
    });
    expect(shipped[1]?.samParameters).toMatchObject({ ModelRelease: 'r1' });
    expect(shipped[2]?.samParameters).toMatchObject({ LoaderReadyProcesses: '3' });
    expect(shipped[3]?.samParameters).toMatchObject({ OpenvinoLayer: openvinoLayer });
    expect(ship({ content: layered })?.samParameters).not.toHaveProperty('OpenvinoLayer');
  });

  function withModes(modes: object) {
    return { bench: { deliveries: ['s3-copy'], memoryMiB: 2048 }, ...modes };
  }

  it.each<[string, Traits]>([
    ['reads its model from a bucket', { delivery: 'layer' }],
    ['--openvino-layer ARN', { variant: openvino }],
    ['made for arm64', { variant: bindTo('arm64', ['asimd']), content: bindable }],
    ['avx512_bf16, which not every', { variant: bindTo('x64', ['avx2', 'avx512_bf16']), content: bindable }],
    [
      'container image',
      {
        content: withModes({
          pick: { startModes: { 'on-demand': false, snapstart: { restoreMs: 1, source: 's' } } },
        }),
      },
    ],
    [
      'no S3 bucket',
      { variant: makeVariant({}, { staged: { storeUrl: '/s', artifactUrl: '/s/a' } } as RunVariant) },
    ],
  ])('are none where the template cannot ship it: %s', (problem, traits) => {
    expect(ship(traits)).toMatchObject({
      samParameters: null,
      samProblem: expect.stringContaining(problem),
    });
  });
});
