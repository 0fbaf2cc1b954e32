import { describe, expect, it } from 'vitest';
import type { BenchRow } from '../../src/bench/bench-result.js';
import { describeDirectLink, describeSimulatedLink, noLink } from '../../src/bench/link/describe-link.js';
import { type FindingSources, listBenchFindings } from '../../src/bench/list-findings.js';
import { spreadOf } from '../../src/bench/statistics/spread.js';

function rowOf(totalsMs: readonly number[]): BenchRow {
  const none = { startMs: null, runtimeMs: null, downloadMs: null, sessionMs: null, firstInferenceMs: null };
  return {
    ...{ variantId: 'v', delivery: 's3-copy', memoryMiB: null, cache: 'warm', outliers: [], limit: null },
    session: usualSession,
    runs: totalsMs.length,
    failures: 0,
    phases: {
      ...none,
      loadMs: null,
      coldStartMs: null,
      readyMs: null,
      steadyMs: null,
      totalMs: spreadOf(totalsMs),
    },
    peakRssBytes: null,
    environment: null,
    comparable: { total: null, ready: null },
  };
}

const quiet: FindingSources = {
  rows: [],
  samples: [],
  link: noLink,
  cache: { state: 'warm', title: 'process start, files cached' },
  machine: { cpuModel: 'x', cores: 2, memoryBytes: 1, node: '20', platform: 'linux/x64' },
  threads: 2,
  skip: [],
  inMemory: { ephemeral: null, layers: [] },
};

function codes(sources: Partial<FindingSources>): string[] {
  return listBenchFindings({ ...quiet, ...sources }).map((finding) => finding.code);
}

describe('listBenchFindings', () => {
  it('always says that files were cached, and nothing else when there is nothing else', () => {
    expect(codes({ rows: [rowOf([10, 11, 12])] })).toEqual(['bench-files-cached']);
  });

  it('names a link that is simulated, and one that is not shaped', () => {
    const model = { latencyMs: 20, bytesPerSecond: 90e6 };
    expect(codes({ link: describeSimulatedLink(model) })).toContain('bench-link-simulated');
    const [simulated] = listBenchFindings({ ...quiet, link: describeSimulatedLink(model) });
    expect(simulated?.what).toContain('includes loading the AWS SDK');
    expect(codes({ link: describeDirectLink('s3://bucket', {}) })).toContain('bench-link-not-shaped');
  });

  it('warns of file systems that are memory', () => {
    const inMemory = { ephemeral: '/dev/shm', layers: ['/dev/shm/a'] };
    expect(codes({ inMemory })).toEqual([
      'bench-files-cached',
      'bench-ephemeral-in-memory',
      'bench-layer-in-memory',
    ]);
  });

  it('warns of more threads than processors', () => {
    expect(codes({ threads: 3 })).toContain('bench-threads-oversubscribed');
  });

  it('warns of a spread from one and a half times the median on', () => {
    expect(codes({ rows: [rowOf([10, 10, 15])] })).not.toContain('bench-spread-wide');
    expect(codes({ rows: [rowOf([10, 10, 15.1])] })).toContain('bench-spread-wide');
  });

  it('says a wide spread once, with the worst row', () => {
    const rows = [rowOf([10, 10, 20]), rowOf([10, 10, 30]), rowOf([10, 10, 11])];
    const spread = listBenchFindings({ ...quiet, rows }).filter(({ code }) => code === 'bench-spread-wide');
    expect(spread.map((finding) => finding.facts)).toEqual([
      expect.objectContaining({ ratio: 3, p95Ms: 30, medianMs: 10, wideRows: 2, rows: 3 }),
    ]);
  });
});

describe('describeDirectLink', () => {
  it('names the host of the S3 endpoint as the AWS environment sets it, without its credentials', () => {
    const label = (environment: Record<string, string>) =>
      describeDirectLink('s3://bucket/p', environment).label;
    expect(
      label({ AWS_ENDPOINT_URL_S3: 'http://user:word@127.0.0.1:7070', AWS_ENDPOINT_URL: 'http://other' }),
    ).toBe('direct from S3 at 127.0.0.1:7070, not shaped');
    expect(label({ AWS_ENDPOINT_URL: 'https://minio.example' })).toContain('minio.example');
    expect(label({ AWS_REGION: 'eu-central-1' })).toContain('s3.eu-central-1.amazonaws.com');
  });

  it('names the host of a web server, and a folder', () => {
    expect(describeDirectLink('https://hub.example/models', {}).label).toContain('hub.example');
    expect(describeDirectLink('/var/store', {}).label).toContain('/var/store');
  });
});
