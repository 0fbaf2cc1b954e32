import { describe, expect, it } from 'vitest';
import { dataTypeNamed } from '../../src/onnx/element-type.js';
import { findSignature, slotAt } from '../../src/onnx/operator-signature.js';
import { operatorSlots } from '../../src/onnx/operator-slots.js';

describe('operator signatures', () => {
  it.each([
    ['Resize', 10, 1],
    ['Resize', 13, 2],
    ['Upsample', 9, 1],
    ['NonMaxSuppression', 11, 0],
    ['Range', 11, 0],
    ['CumSum', 11, 0],
    ['Celu', 12, 0],
    ['IsInf', 10, 0],
    ['QuantizeLinear', 13, 0],
    ['DequantizeLinear', 13, 1],
    ['DynamicQuantizeLinear', 11, 0],
  ])('%s of opset %i takes no FP16 at input %i', (opType, opset, input) => {
    expect(slotAt(findSignature('', opType, opset)?.inputs ?? [], input)?.allowsHalf).toBe(false);
  });

  it.each([
    ['CumSum', 14, 0],
    ['IsInf', 20, 0],
    ['TopK', 11, 0],
    ['Resize', 13, 0],
    ['Range', 27, 0],
  ])('%s of opset %i takes FP16 at input %i', (opType, opset, input) => {
    expect(slotAt(findSignature('', opType, opset)?.inputs ?? [], input)?.allowsHalf).toBe(true);
  });

  it('repeats a last slot that takes any number of values, and no other', () => {
    const concat = findSignature('', 'Concat', 13);
    expect(slotAt(concat?.inputs ?? [], 7)?.name).toBe('A');
    expect(slotAt(findSignature('', 'Add', 13)?.inputs ?? [], 2)).toBeUndefined();
  });

  it('knows nothing of other domains, of names from the prototype, or of operators before they existed', () => {
    expect(findSignature('com.example', 'Add', 1)).toBeUndefined();
    expect(findSignature('', 'toString', 17)).toBeUndefined();
    expect(findSignature('constructor', 'name', 17)).toBeUndefined();
    expect(findSignature('', 'Gelu', 19)).toBeUndefined();
  });

  it('names only types that exist, in versions that rise', () => {
    for (const [opType, line] of Object.entries(operatorSlots[''] ?? {})) {
      const versions = line.split('; ').map((version) => Number(version.split(' ')[0]));
      expect([...versions].sort((left, right) => left - right)).toEqual(versions);
      const signature = findSignature('', opType, 99);
      for (const slot of [...(signature?.inputs ?? []), ...(signature?.outputs ?? [])]) {
        if (slot.kind === 'fixed') expect(dataTypeNamed(slot.name), `${opType} ${slot.name}`).toBeDefined();
      }
    }
  });
});
