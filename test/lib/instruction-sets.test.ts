import { describe, expect, it } from 'vitest';
import { parseInstructionSets } from '../../src/lib/instruction-sets.js';

describe('what processors can do', () => {
  it('is read of the first of them, on x64 and on arm64', () => {
    const x64 = 'processor\t: 0\nflags\t\t: fpu avx2 avx512_bf16 \nbugs\t\t: spectre\n\nflags\t\t: fpu\n';
    expect(parseInstructionSets(x64)).toEqual(['fpu', 'avx2', 'avx512_bf16']);
    expect(parseInstructionSets('BogoMIPS\t: 243.75\nFeatures\t: fp asimd bf16\n')).toEqual([
      'fp',
      'asimd',
      'bf16',
    ]);
  });

  it('is not known where nothing says it', () => {
    expect(parseInstructionSets('processor\t: 0\nflags\t\t:\nbugs\t\t: spectre\n')).toBeUndefined();
    expect(parseInstructionSets('')).toBeUndefined();
  });
});
