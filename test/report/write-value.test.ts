import { describe, expect, test } from 'vitest';
import { stackPhases } from '../../src/report/charts/chart-rows.js';
import {
  countOf,
  writeCosine,
  writeLeft,
  writeMeasure,
  writeMoment,
  writeMs,
  writePercent,
  writeRange,
  writeTolerance,
} from '../../src/report/tables/write-value.js';
import { makeSampleView } from './sample-view.js';

describe('values for people', () => {
  test('never show a missing one as 0', () => {
    expect([writeMs(null), writeMs(undefined), writeMeasure(null), writeCosine(null)]).toEqual([
      '–',
      '–',
      '–',
      '–',
    ]);
    expect(writeMs(0)).toBe('0 ms');
  });

  test('never round what is just over or just below to 100 %', () => {
    expect([99.96, 100, 100.01, 25.26].map(writePercent)).toEqual([
      '< 100 %',
      '100.0 %',
      '> 100 %',
      '25.3 %',
    ]);
  });

  test('never round a cosine below 1 to 1', () => {
    expect([1, 1 - 2e-9, 0.999_98, 0.5, 1.000_000_1].map((cosine) => writeCosine(cosine))).toEqual([
      '1',
      '1 − 2.0e-9',
      '0.999980',
      '0.5',
      '1',
    ]);
  });

  test('show errors with three digits and what is no number as it is', () => {
    expect(['NaN', 0, 0.012345, 1e-7, 412, 123_456.7].map((measure) => writeMeasure(measure))).toEqual([
      'NaN',
      '0',
      '0.0123',
      '1.00e-7',
      '412',
      '1.23e+5',
    ]);
  });

  test('round a needed tolerance up, never down', () => {
    expect([0.010_41, 0.002_1, 0, 'Infinity', null].map((measure) => writeTolerance(measure))).toEqual([
      '0.011',
      '0.0021',
      '0',
      'Infinity',
      '–',
    ]);
  });

  test('write a moment to the minute', () => {
    expect(writeMoment('2026-11-30T17:01:44.020Z')).toBe('2026-11-30 17:01 UTC');
    expect(writeMoment('2026-11-30T17:01:44Z')).toBe('2026-11-30 17:01 UTC');
  });

  test('show what is left with its sign, and exactly when it is little', () => {
    expect([-1, 0, 1_048_576, -2_097_152].map(writeLeft)).toEqual(['−1 B', '0 B', '1.0 MiB', '−2.0 MiB']);
  });

  test('write ranges in one unit and counts in words', () => {
    expect([writeRange(1.234, 5.6), writeRange(402, 431), writeRange(900, 12_345)]).toEqual([
      '1.23–5.60 ms',
      '402–431 ms',
      '0.9–12.3 s',
    ]);
    expect([countOf(1, 'file'), countOf(1200, 'file')]).toEqual(['1 file', '1,200 files']);
  });
});

test('bars leave out a phase that was not measured, and lose none of the rest', async () => {
  const { bench } = await makeSampleView({ ms: 180, source: 'x' });
  if (bench === null) throw new Error('the sample has a benchmark');
  const rows = bench.rows.map((row) => ({ ...row, phases: { ...row.phases, sessionMs: null } }));
  const pieces = stackPhases({ ...bench, rows });
  expect(pieces.some((piece) => piece.phase === 'session')).toBe(false);
  const [first] = rows.filter((row) => row.delivery === 'layer');
  const own = pieces.filter((piece) => piece.row === `${first?.variantId} · layer`);
  expect(own.map((piece) => piece.phase)).toEqual([
    'environment (stated)',
    'start',
    'runtime',
    'first inference',
  ]);
  expect(own.at(-1)?.endMs).toBeCloseTo(
    180 +
      (first?.phases.startMs?.median ?? 0) +
      (first?.phases.runtimeMs?.median ?? 0) +
      (first?.phases.firstInferenceMs?.median ?? 0),
  );
});
