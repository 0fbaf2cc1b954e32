import { describe, expect, it } from 'vitest';
import { type ConvertFlags, readConvertFlags } from '../../src/cli/convert-flags.js';
import { catchError } from '../fixtures/catch-error.js';

const flags: ConvertFlags = {
  ...{ precision: 'fp16-weights', engine: 'onnxruntime', inference: 'f32', out: 'o' },
  ...{ minWeightBytes: 1024, maxWeightError: 0.01, loadCheck: true },
};
const byDefault = () => 'default';

describe('readConvertFlags', () => {
  it('takes the layout that the engine has where none is named', () => {
    expect(readConvertFlags('m', flags, byDefault)).toMatchObject({
      layout: 'single',
      io: 'fp32',
      keepFp32: [],
    });
    expect(readConvertFlags('m', { ...flags, engine: 'openvino' }, byDefault).layout).toBe('ir');
    const named = { ...flags, engine: 'openvino', layout: 'external' } as const;
    expect(readConvertFlags('m', named, byDefault).layout).toBe('external');
  });

  it.each(['ir', 'blob'] as const)(
    'refuses what decides nothing with %s, all of it at once',
    async (layout) => {
      const given = {
        ...flags,
        engine: 'openvino',
        layout,
        io: 'fp16',
        withoutRule: ['quantisation'],
      } as const;
      const sourceOf = (name: string) => (name === 'io' || name === 'withoutRule' ? 'cli' : 'default');
      const error = await catchError(async () => readConvertFlags('m', given, sourceOf));
      expect(error).toMatchObject({ code: 'usage-wrong', exitCode: 2 });
      expect(error.message).toBe(`With ${layout} nothing is decided by --io, --without-rule.`);
      expect(readConvertFlags('m', { ...given, layout: 'single' }, sourceOf).io).toBe('fp16');
    },
  );
});
