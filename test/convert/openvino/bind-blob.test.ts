import { expect, it } from 'vitest';
import { prepareBinding } from '../../../src/convert/openvino/bind-blob.js';
import { OptimiseModelError } from '../../../src/messages/error.js';
import type { RuntimeNeed } from '../../../src/store/runtime-need.js';

const need: RuntimeNeed = {
  ...{ engine: 'openvino', minimumVersion: '2025.1.0', opset: 8, irVersion: 11, architecture: 'any' },
  ...{ boundTo: null, names: null },
};
const processor = { model: 'unknown', architecture: 'x64' };

it('binds what is compiled to the version and to what the processor can do', () => {
  expect(prepareBinding({ ...processor, instructionSets: ['avx2'] })(need, '2026.4.1')).toEqual({
    ...need,
    minimumVersion: '2026.4.1',
    architecture: 'x64',
    boundTo: { kind: 'compiled-blob', engineVersion: '2026.4.1', instructionSets: ['avx2'] },
  });
});

it('lets nothing be compiled where nobody says what the processor can do', () => {
  const prepare = () => prepareBinding({ ...processor, instructionSets: [] });
  expect(prepare).toThrow(OptimiseModelError);
  expect(prepare).toThrow(expect.objectContaining({ code: 'processor-unknown', exitCode: 3 }));
});
