import { expect, it } from 'vitest';
import { makeChildEnvironment } from '../../src/lib/child-environment.js';

it('leaves out what test runners and debuggers add and keeps the rest', () => {
  const environment = {
    PATH: '/bin',
    AWS_REGION: 'x',
    VITEST: '1',
    VITEST_POOL_ID: '1',
    NODE_ENV: 'test',
    NODE_OPTIONS: '-r x',
    GONE: undefined,
  };
  expect(makeChildEnvironment(environment)).toEqual({
    PATH: '/bin',
    AWS_REGION: 'x',
    ORT_DISABLE_TELEMETRY: '1',
  });
});

it('turns the telemetry of the engine off unless it is told otherwise', () => {
  expect(makeChildEnvironment({ ORT_DISABLE_TELEMETRY: '0' })).toEqual({ ORT_DISABLE_TELEMETRY: '0' });
});
