import { expect, it } from 'vitest';
import { findLackingReader, shortenRefusal } from '../../../src/runtimes/openvino/shorten-refusal.js';

const head = `Check 'false' failed at src/frontends/common_translators/src/unconverted_ops_report.cpp:151:
FrontEnd API failed with OpConversionFailure:
Model wasn't fully converted.`;

it('names the operators that OpenVINO has not', () => {
  const text = `${head}\nSummary:\n-- No conversion rule found for operations: my.Fn, MelWeightMatrix-17\n`;
  expect(shortenRefusal(text)).toEqual({
    reason: 'it has no conversion for my.Fn, MelWeightMatrix-17',
    operators: ['my.Fn', 'MelWeightMatrix-17'],
  });
});

it('names the operators that it could not convert, with why the first one', () => {
  const text = `${head} Failed operations detailed log:
-- Conv-15 with a message:
[ONNX Frontend] Conversion failed for Conv-15
While validating ONNX node '<Node(Conv): out>': Check 'data.get_partial_shape().rank().is_static()' failed at src/frontends/onnx/frontend/src/op/conv.cpp:38:
FrontEnd API failed with GeneralFailure:
The input data tensor's rank has to be known (static)

-- ReduceMean-15 with a message:
Unsupported input type dynamic

Summary:
-- No conversion rule found for operations: my.Fn
-- Conversion is failed for: Conv-15, ReduceMean-15
`;
  const short = shortenRefusal(text);
  // What an engine's session says has been shortened once.
  expect(shortenRefusal(`${short.reason}.`)).toEqual(short);
  expect(short).toEqual({
    reason:
      "it has no conversion for my.Fn; it could not convert Conv-15, ReduceMean-15 (The input data tensor's rank has to be known (static))",
    operators: ['my.Fn', 'Conv-15', 'ReduceMean-15'],
  });
});

it('leaves out where in its own source it says something', () => {
  const text = `Check 'false' failed at src/frontends/common/src/frontend.cpp:47:
Loading input model
Unsupported value_info type: z
`;
  expect(shortenRefusal(text)).toEqual({ reason: 'Unsupported value_info type: z', operators: [] });
});

it('keeps what it does not know, but not all of it', () => {
  expect(shortenRefusal('Something new.').reason).toBe('Something new');
  expect(shortenRefusal('no. '.repeat(1000)).reason).toHaveLength(301);
});

it('says that the installation lacks the reader of ONNX, which no model can help', () => {
  const text = `Check 'false' failed at src/frontends/common/src/manager.cpp:210:
Unable to read the model: /m/model.onnx Please check that model format: onnx is supported and the model is correct. Available frontends: ir
`;
  expect(findLackingReader(text)).toBe(
    'it lacks the reader of ONNX, libopenvino_onnx_frontend (it reads ir)',
  );
  expect(findLackingReader(text.replace('frontends: ir', 'frontends: ir onnx'))).toBeNull();
});
