import { describe, expect, it } from 'vitest';
import { type OfferedRuntime, refuseUnmetNeed } from '../../src/loader/refuse-unmet-need.js';
import { OptimiseModelError } from '../../src/messages/error.js';
import type { RuntimeNeed } from '../../src/store/runtime-need.js';
import { recordOf } from '../fixtures/opaque-artifact.js';

const need: RuntimeNeed = {
  engine: 'onnxruntime',
  minimumVersion: '1.22.0',
  opset: 17,
  irVersion: 8,
  architecture: 'any',
  boundTo: null,
  names: null,
};

const bound = { kind: 'compiled-blob', engineVersion: null, instructionSets: [] } as const;

function refusal(change: Partial<RuntimeNeed>, offered: Partial<OfferedRuntime> = {}): unknown {
  const record = { ...recordOf({ x: Buffer.from('x') }), requires: { ...need, ...change } };
  try {
    refuseUnmetNeed(record, {
      version: '1.30.0',
      architecture: 'x64',
      listInstructionSets: () => ['avx', 'avx2'],
      ...offered,
    });
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('what an artifact needs', () => {
  it.each<[Partial<RuntimeNeed>, Partial<OfferedRuntime>]>([
    [{}, {}],
    [{ architecture: 'x64' }, {}],
    [{ boundTo: { ...bound, engineVersion: null, instructionSets: ['avx2'] } }, {}],
    [{ boundTo: { ...bound, engineVersion: '1.30.0' } }, {}],
    [{ boundTo: { ...bound, engineVersion: '1.29.0' } }, { version: undefined }],
    [{ boundTo: bound }, { listInstructionSets: () => undefined }],
    [{}, { architecture: 'riscv64' }],
    [{}, { version: '1.22.0' }],
    [{ opset: 27 }, { version: '1.31.0' }],
    [{ minimumVersion: '1.99.0' }, { version: undefined }],
    [{ minimumVersion: 'whatever' }, {}],
  ])('is met: %o by %o', (change, offered) => {
    expect(refusal(change, offered)).toBeUndefined();
  });

  it.each<[Partial<RuntimeNeed>, Partial<OfferedRuntime>, object]>([
    [{}, { version: '1.9.0' }, { need: 'onnxruntime version', expected: 'at least 1.22.0', seen: '1.9.0' }],
    [{ minimumVersion: '1.25.0' }, { version: '1.25.0-dev.1' }, { seen: '1.25.0-dev.1' }],
    [{ opset: 24 }, { version: '1.23.2' }, { need: 'opset', expected: '24', seen: 'at most 23' }],
    [{ irVersion: 14 }, {}, { need: 'IR version', expected: '14', seen: 'at most 13' }],
    [{ architecture: 'arm64' }, {}, { need: 'architecture', expected: 'arm64', seen: 'x64' }],
    [{ architecture: 'arm64' }, { version: undefined }, { need: 'architecture' }],
    [
      { boundTo: { ...bound, engineVersion: '1.29.0' } },
      {},
      { need: 'onnxruntime version', expected: 'exactly 1.29.0', seen: '1.30.0' },
    ],
    [
      { boundTo: { ...bound, instructionSets: ['avx2', 'avx512_bf16'] } },
      { version: undefined },
      { need: 'processor', expected: 'avx2, avx512_bf16', seen: 'none with avx512_bf16' },
    ],
    [
      { boundTo: { ...bound, instructionSets: ['avx2'] } },
      { listInstructionSets: () => undefined },
      { need: 'processor', expected: 'avx2', seen: 'unknown' },
    ],
  ])('is not met: %o by %o', (change, offered, unmet) => {
    expect(refusal(change, offered)).toMatchObject({
      code: 'requirement-not-met',
      exitCode: 3,
      facts: { variant: 'fp16-weights.external', unmet: [unmet] },
      remedy: expect.stringContaining('`variant`'),
    });
  });

  it('is said with everything that is in the way, and how to mend it', () => {
    const error = refusal(
      { minimumVersion: '1.23.0', opset: 23, architecture: 'arm64' },
      { version: '1.22.1' },
    );
    expect(error).toBeInstanceOf(OptimiseModelError);
    expect(error).toMatchObject({
      message:
        'fp16-weights.external cannot run here (onnxruntime 1.22.1): onnxruntime version: needed at least 1.23.0, there is 1.22.1; opset: needed 23, there is at most 22; architecture: needed arm64, there is x64.',
    });
    const { remedy } = refusal({ minimumVersion: '1.40.0' }) as OptimiseModelError;
    const compiled = { engine: 'openvino', boundTo: { ...bound, engineVersion: '2026.4.1' } } as const;
    const other = refusal(compiled, { version: '2026.5.0' }) as OptimiseModelError;
    expect(other.remedy).toMatch(
      /openvino version exactly 2026\.4\.1 \(`python3 -m pip install openvino==2026\.4\.1`\)/,
    );
    const processor = refusal(
      { boundTo: { ...bound, instructionSets: ['avx512_bf16'] } },
      { version: undefined },
    );
    expect((processor as OptimiseModelError).remedy).not.toContain('install');
    expect(remedy).toMatch(/onnxruntime version at least 1\.40\.0 .*`npm install onnxruntime-node@latest`/);
  });
});
