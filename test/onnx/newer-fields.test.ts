import { expect, it } from 'vitest';
import { namePassedFields } from '../../src/onnx/newer-fields.js';

it('adds fields up by the message that they are in, wherever that is, and names those of ONNX', () => {
  const found = [
    { path: 'ModelProto/GraphProto/NodeProto', field: 9, count: 3 },
    { path: 'ModelProto/GraphProto', field: 9, count: 1 },
    { path: 'ModelProto/FunctionProto/NodeProto', field: 9, count: 2 },
  ];
  expect(namePassedFields(found)).toEqual([
    { message: 'NodeProto', field: 9, name: 'metadata_props', count: 5 },
    { message: 'GraphProto', field: 9, name: null, count: 1 },
  ]);
});
