import { describe, expect, it } from 'vitest';
import type { BenchRow } from '../../src/bench/bench-result.js';
import { describeDirectLink, describeSimulatedLink, noLink } from '../../src/bench/link/describe-link.js';
import { listBenchFindings, type SeenBesides } from '../../src/bench/list-findings.js';
import { spreadOf } from '../../src/bench/statistics/spread.js';
import { usualSession } from '../../src/lib/session-options.js';
import { plainLink } from '../fixtures/bench-options.js';

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

const quiet = {
  ...{ rows: [], comparisons: [], baseline: null, samples: [], limitSamples: [], profiles: [] },
  link: noLink,
  hubLink: null,
  disk: { bytesPerSecond: null, enforcement: 'none', label: 'the disk as it is' },
  runtimes: [],
  cache: { state: 'warm', title: 'process start, files cached' },
  machine: { cpuModel: 'x', cores: 2, memoryBytes: 1, node: '20', platform: 'linux/x64' },
} as const;

const nothing: SeenBesides = {
  options: { skip: [], cacheMode: 'evict', targetWidth: null, baseline: null },
  inMemory: null,
  prepared: [],
  findings: [],
};

type Bench = Parameters<typeof listBenchFindings>[0];

function listFindings(bench: Partial<Bench>, seen: Partial<SeenBesides> = {}) {
  return listBenchFindings({ ...quiet, ...bench }, { ...nothing, ...seen });
}

function codes(bench: Partial<Bench>, seen: Partial<SeenBesides> = {}): string[] {
  return listFindings(bench, seen).map((finding) => finding.code);
}

describe('listBenchFindings', () => {
  it('says that files were cached, and nothing else when there is nothing else', () => {
    expect(codes({ rows: [rowOf([10, 11, 12])] })).toEqual(['bench-files-cached']);
  });

  it('names a link that is simulated, and one that is not shaped', () => {
    const model = plainLink(20);
    expect(codes({ link: describeSimulatedLink(model) })).toContain('bench-link-simulated');
    const [simulated] = listFindings({ link: describeSimulatedLink(model) });
    expect(simulated?.what).toContain('includes loading the AWS SDK');
    expect(codes({ link: describeDirectLink('s3://bucket', {}) })).toContain('bench-link-not-shaped');
  });

  it('says nothing of the page cache when all files were evicted', () => {
    expect(codes({ rows: [{ ...rowOf([10, 11, 12]), cache: 'evicted' }] })).toEqual([]);
  });

  it('warns of a folder for copies that is memory', () => {
    expect(codes({}, { inMemory: '/dev/shm' })).toEqual(['bench-ephemeral-in-memory']);
  });

  it('tells of samples that lost time to the host', () => {
    const phases = { startMs: 100, runtimeMs: 0, downloadMs: 0, sessionMs: 0, firstInferenceMs: 0 };
    const named = { variantId: 'v', delivery: 's3-copy', memoryMiB: null, cache: 'evicted' } as const;
    const sample = { ...named, run: 0, phases, steadyMs: [], peakRssBytes: null, stealMs: 3, error: null };
    expect(codes({ samples: [sample] })).toEqual([]);
    const [finding] = listFindings({ samples: [sample, { ...sample, stealMs: 10 }] });
    expect(finding).toMatchObject({ code: 'bench-time-stolen', facts: { samples: 1, of: 2 } });
    // Of all the time that was measured, what was lost in steady inferences included.
    const long = { ...sample, stealMs: 10, steadyMs: [300, 300] };
    expect(codes({ samples: [long] })).toEqual([]);
  });

  it('warns of a spread from one and a half times the median on', () => {
    expect(codes({ rows: [rowOf([10, 10, 15])] })).not.toContain('bench-spread-wide');
    expect(codes({ rows: [rowOf([10, 10, 15.1])] })).toContain('bench-spread-wide');
  });

  it('says a wide spread once, with the worst row', () => {
    const rows = [rowOf([10, 10, 20]), rowOf([10, 10, 30]), rowOf([10, 10, 11])];
    const spread = listFindings({ rows }).filter(({ code }) => code === 'bench-spread-wide');
    expect(spread.map((finding) => finding.facts)).toEqual([
      expect.objectContaining({ ratio: 3, p95Ms: null, maxMs: 30, medianMs: 10, wideRows: 2, rows: 3 }),
    ]);
    expect(spread[0]?.what).toContain('its slowest sample (30 ms)');
  });

  it('judges a spread by the p95 where there is one, and calls it that', () => {
    const many = (slow: number) => [...Array.from({ length: 19 }, () => 10), slow];
    expect(codes({ rows: [rowOf(many(99))] })).not.toContain('bench-spread-wide');
    const found = listFindings({ rows: [rowOf([...many(99), 99, 99])] });
    expect(found.find(({ code }) => code === 'bench-spread-wide')?.what).toContain('slow end (p95 99 ms)');
  });

  it('warns where the time before the process is stated for some deliveries and counts as 0 for others', () => {
    const environment = { ms: 900, source: 'logs' };
    const [copy, layer] = [rowOf([10]), { ...rowOf([10]), delivery: 'layer', environment } as const];
    const find = (rows: readonly BenchRow[]) =>
      listFindings({ rows }).find(({ code }) => code === 'bench-environment-partial');
    expect(find([copy])).toBeUndefined();
    expect(find([layer, { ...copy, environment }])).toBeUndefined();
    expect(find([layer, copy, copy])).toMatchObject({
      severity: 'warning',
      facts: { stated: ['layer'], without: ['s3-copy'] },
    });
    const gap = { total: 'not stated', ready: 'not stated' };
    const unstated = { ...layer, environment: null, comparable: gap };
    expect(find([{ ...copy, environment }, unstated])).toBeUndefined();
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
