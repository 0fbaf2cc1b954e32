import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ColdStartFacts, makeColdStartLog, printOnLambda } from '../../src/loader/cold-start-log.js';
import { OptimiseModelError } from '../../src/loader/index.js';

const facts: ColdStartFacts = {
  source: 's3://models/vit/current.json',
  release: 'r1',
  digest: 'd',
  variantId: 'fp32.single',
  delivery: 'lazy',
  threads: 2,
  threadsOrigin: 'option',
  threadsWarning: null,
  session: { prepacking: true, optimisation: 'all' },
  inference: 'f32',
  fromCache: false,
  engine: 'onnxruntime',
  engineVersion: '1.30.0',
  sizeBytes: 100,
  expandedSizeBytes: null,
  reused: false,
  restored: false,
  phases: { startMs: 1, runtimeMs: 2, downloadMs: 3, sessionMs: 4, firstInferenceMs: 5 },
};

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('makeColdStartLog', () => {
  it('adds the sums by the rule of the delivery', () => {
    const log = makeColdStartLog(facts, undefined, {});
    expect(log.sums).toEqual({ loadMs: 7, coldStartMs: 10, totalMs: 15, readyMs: 1 });
    expect(makeColdStartLog({ ...facts, delivery: 'layer' }, undefined, {}).sums?.readyMs).toBe(10);
  });

  it('says how Lambda started the process, and null where nobody says so', () => {
    const environment = {
      AWS_LAMBDA_INITIALIZATION_TYPE: 'provisioned-concurrency',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '2048',
    };
    expect(makeColdStartLog(facts, undefined, environment)).toMatchObject({
      startMode: 'provisioned-concurrency',
      memoryMiB: 2048,
    });
    expect(makeColdStartLog(facts, undefined, {})).toMatchObject({ startMode: null, memoryMiB: null });
  });

  it('names a failure by its code, and has no sums while a phase is missing', () => {
    const failure = OptimiseModelError.of('model-closed', { source: 'x' });
    const phases = { ...facts.phases, sessionMs: null };
    const log = makeColdStartLog({ ...facts, phases }, failure, {});
    expect(log).toMatchObject({ status: 'failed', sums: null, error: { code: 'model-closed' } });
    expect(makeColdStartLog(facts, 'thrown', {}).error).toEqual({ code: 'internal-error', what: 'thrown' });
  });
});

describe('printOnLambda', () => {
  it('prints one JSON line on Lambda and nothing elsewhere', () => {
    const print = vi.spyOn(console, 'log').mockReturnValue(undefined);
    const log = makeColdStartLog(facts, undefined, {});
    vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', undefined);
    printOnLambda(log);
    expect(print).not.toHaveBeenCalled();
    vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'classify');
    printOnLambda(log);
    const [line] = print.mock.calls[0] ?? [];
    expect(line).not.toContain('\n');
    expect(JSON.parse(line)).toEqual(log);
  });
});
