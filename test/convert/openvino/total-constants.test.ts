import { expect, it } from 'vitest';
import { constantFindings } from '../../../src/convert/openvino/total-constants.js';

it('says of a model of which nothing is stored as FP16 what was kept, and why', () => {
  const constant = {
    ...{ name: 'Constant_1', scope: 'graph', onnxNames: ['w'], elementType: 'f32', shape: '4' },
    ...{ offset: 0, sizeBytes: 16 },
  };
  const kept = [{ constant, isMostlyOutside: true, beyondCount: 4 }];
  const findings = constantFindings({ rounded: [], kept }, 'model.onnx');
  expect(findings).toMatchObject([
    { code: 'no-constant-stored', severity: 'warning' },
    { code: 'constants-kept-fp32', facts: { constantCount: 1, sizeBytes: 16, outsideCount: 1 } },
  ]);
});
