import { describe, expect, it } from 'vitest';
import { runtimeNeed } from '../../src/convert/runtime-need.js';
import { codecs } from '../../src/onnx/proto.js';
import { encode, graph, model } from '../fixtures/build-model.js';

function need(opset: number, irVersion: number): string {
  const content = { ...model(graph({ nodes: [] }), { opset }), irVersion };
  const decoded = codecs.ModelProto.decode(encode(content));
  return runtimeNeed('onnxruntime', decoded, { model: decoded }).minimumVersion;
}

describe('runtimeNeed', () => {
  it('grows with opset and IR version, and never falls below what honours its options', () => {
    expect(need(9, 4)).toBe('1.22.0');
    expect(need(22, 10)).toBe('1.22.0');
    expect(need(23, 8)).toBe('1.23.0');
    expect(need(21, 11)).toBe('1.23.0');
    expect(need(25, 12)).toBe('1.24.0');
    expect(need(26, 13)).toBe('1.25.0');
  });

  it('names the newest that is known for what is newer still', () => {
    expect(need(99, 99)).toBe('1.25.0');
  });
});
