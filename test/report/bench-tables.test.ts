import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CacheState, cacheStates } from '../../src/lib/cache-state.js';
import { listSpreads } from '../../src/report/charts/chart-rows.js';
import type { BenchReport } from '../../src/report/documents/bench-result.js';
import { tabulateComparisons } from '../../src/report/tables/bench/comparison-table.js';
import { describeLinks, tabulateConditions } from '../../src/report/tables/bench/conditions-table.js';
import { describeGate } from '../../src/report/tables/bench/gate-line.js';
import { tabulateLimits } from '../../src/report/tables/bench/limit-table.js';
import { meanPhases, savingPercent } from '../../src/report/tables/bench/mean-phases.js';
import { tabulatePhases } from '../../src/report/tables/bench/phases-table.js';
import { savingOf } from '../../src/report/tables/bench/saving.js';
import { hasSources, tabulateSources } from '../../src/report/tables/bench/sources-table.js';
import { splitByCache } from '../../src/report/tables/bench/split-by-cache.js';
import { tabulateTotals } from '../../src/report/tables/bench/totals-table.js';
import type { ReportTable } from '../../src/report/tables/report-table.js';
import { renderBenchText } from '../../src/report/text/bench-text.js';
import { makeRichView, withMemories, withSources, withState } from './rich-view.js';
import { sampleRow } from './sample-bench.js';
import { makeSampleView } from './sample-view.js';

const { bench: sampleBench } = await makeSampleView();
if (sampleBench === null) throw new Error('the sample has a benchmark');
const bench: BenchReport = sampleBench;

const textOf = (table: ReportTable) => table.rows.map((row) => row.map((item) => item.text));
const columnOf = (table: ReportTable, title: string) => {
  const index = table.columns.findIndex((column) => column.title === title);
  return textOf(table).map((row) => row[index]);
};
const plain = { colour: false, width: 120 };

describe('the p95', () => {
  test('has a column only where some row has one', () => {
    expect(tabulateTotals(bench).columns.map(({ title }) => title)).not.toContain('p95');
    const [first] = bench.rows;
    if (first?.phases.totalMs == null) throw new Error('the sample has a total');
    const phases = { ...first.phases, totalMs: { ...first.phases.totalMs, p95: 351 } };
    const rows = [{ ...first, phases }, ...bench.rows.slice(1)];
    expect(columnOf(tabulateTotals({ ...bench, rows }), 'p95').slice(0, 2)).toEqual(['351 ms', '–']);
  });
});

describe('cache states', () => {
  test('are never mixed in a table: each has its own rows, samples and title', () => {
    const mixed = withState(withState(bench, 'lazy', 'warm'), 'layer', 'dropped');
    const groups = splitByCache(mixed);
    expect(groups.map((group) => [group.state, tabulateTotals(group.bench).title])).toEqual([
      ['dropped', 'Benchmark: cold start'],
      ['evicted', 'Benchmark: cold start, files evicted'],
      ['warm', 'Benchmark: process start, files cached'],
    ]);
    expect(groups.map((group) => new Set(columnOf(tabulateTotals(group.bench), 'Delivery')))).toEqual([
      new Set(['layer']),
      new Set(['s3-copy', 'stream']),
      new Set(['lazy']),
    ]);
    for (const { state, bench: part } of groups)
      expect(new Set(part.samples.map((sample) => sample.cache))).toEqual(new Set([state]));
    expect(groups.flatMap((group) => group.bench.rows)).toHaveLength(mixed.rows.length);
  });

  test.each(cacheStates)('that are "%s" are called cold only when they are', (state: CacheState) => {
    const rows = bench.rows.map((row) => ({ ...row, cache: state }));
    const text = renderBenchText({ ...bench, rows, comparisons: [] }, plain);
    const isCold = state === 'dropped' || state === 'evicted';
    expect(text.includes('cold start')).toBe(isCold);
    expect(/cold start(?!, files evicted)/.test(text)).toBe(state === 'dropped');
    expect(text.includes('a file system that is memory')).toBe(state === 'memory');
  });
});

describe('comparisons', () => {
  test('have the ratio and its interval, or say that there is no measurable difference', () => {
    const [first, ...others] = bench.comparisons;
    if (first === undefined) throw new Error('the sample has comparisons');
    const close = {
      ratio: 1.013,
      low: 0.97,
      high: 1.05,
      samples: 7,
      verdict: 'no-measurable-difference' as const,
    };
    const slow = { ratio: 1.52, low: 1.47, high: 1.58, samples: 7, verdict: 'slower' as const };
    const table = tabulateComparisons({
      ...bench,
      comparisons: [
        { ...first, total: slow, steady: close },
        { ...first, total: close, steady: null },
        ...others,
      ],
    });
    expect(columnOf(table, 'Total').slice(0, 2)).toEqual([
      '1.52 × (1.47–1.58)',
      'no measurable difference (0.97–1.05)',
    ]);
    expect(columnOf(table, 'Steady').slice(0, 2)).toEqual(['no measurable difference (0.97–1.05)', '–']);
    expect(table.notes).toHaveLength(1);
    expect(table.notes[0]).toContain('Fastest by median total: fp16-weights.single by stream.');
    const beside = { ...close, low: 1.01 };
    const doubtful = tabulateComparisons({ ...bench, comparisons: [{ ...first, total: beside }] });
    expect(doubtful.notes[1]).toContain('although the interval leaves 1 out');
  });

  test('of too few samples are no verdict and have no interval', () => {
    const [first] = bench.comparisons;
    if (first === undefined) throw new Error('the sample has comparisons');
    const few = { ratio: 2.1, low: 1.9, high: 2.4, samples: 3, verdict: 'too-few-samples' as const };
    const table = tabulateComparisons({ ...bench, comparisons: [{ ...first, total: few, steady: null }] });
    expect(columnOf(table, 'Total')).toEqual(['~2.10 ×']);
    expect(table.notes[0]).not.toContain('95 %');
    expect(table.notes[1]).toContain('~ no verdict: 6 samples or more');
    const some = tabulateComparisons({ ...bench, comparisons: [{ ...first, total: few }] });
    expect(some.notes[0]).toContain('95 %');
  });

  test('are left out when there are none', () => {
    expect(renderBenchText({ ...bench, comparisons: [] }, plain)).not.toContain('Against the fastest');
    expect(renderBenchText(bench, plain)).toContain('Against the fastest: cold start, files evicted');
  });
});

describe('memory', () => {
  test('is a column only where some was imitated', () => {
    expect(tabulateTotals(bench).columns.map((column) => column.title)).not.toContain('Memory');
    const table = tabulateTotals(withMemories(bench, [2048, 4096]));
    expect(columnOf(table, 'Memory').slice(0, 2)).toEqual(['2,048 MiB †', '4,096 MiB †']);
    for (const make of [tabulatePhases, tabulateLimits, tabulateComparisons])
      expect(columnOf(make(withMemories(bench, [2048])), 'Memory')[0]).toBe('2,048 MiB †');
  });

  test('that was only imitated is marked in every table and chart, and the mark explained', () => {
    const loose = withMemories(bench, [2048, 4096]);
    const tables = splitByCache(withSources(loose)).flatMap(({ bench: part }) => [tabulateSources(part)]);
    const all = [tabulateTotals, tabulateComparisons, tabulateLimits, tabulatePhases].map((draw) =>
      draw(loose),
    );
    for (const table of [...all, ...tables]) {
      for (const memory of columnOf(table, 'Memory')) expect(memory).toMatch(/^[24],0[49][86] MiB †$/);
      expect(table.notes.filter((note) => note.startsWith('†'))).toEqual([
        '† only imitated: processors limited by cgroup v1; memory not limited.',
      ]);
    }
    expect(new Set(listSpreads(loose).map(({ row }) => row.slice(-2)))).toEqual(new Set([' †']));
    const memoryLimit = 'cgroup-v1' as const;
    const [small, large] = loose.profiles.map((profile) => ({ ...profile, memoryLimit }));
    if (small === undefined || large === undefined) throw new Error('there are two profiles');
    const held = tabulateTotals({ ...loose, profiles: [small, large] });
    expect(JSON.stringify(held)).not.toContain('†');
    const half = tabulateTotals({ ...loose, profiles: [{ ...small, cpuLimit: 'affinity' }, large] });
    expect(new Set(columnOf(half, 'Memory'))).toEqual(new Set(['2,048 MiB †', '4,096 MiB']));
  });

  test('is said again wherever a table continues', () => {
    const text = renderBenchText(withMemories(bench, [2048, 4096]), { ...plain, width: 80 });
    const heads = text.split('\n').filter((line) => line.startsWith('Variant'));
    expect(heads.length).toBeGreaterThan(5);
    for (const head of heads) expect(head).toMatch(/^Variant +Delivery +Memory/);
  });
});

describe('the physical limit', () => {
  test('stands beside the load, with the share of it that was reached', () => {
    const table = tabulateLimits(bench);
    const row = textOf(table).find(
      ([variant, delivery]) => variant === 'fp32.single' && delivery === 'stream',
    );
    expect(row?.slice(2)).toEqual(['165 ms', '158 ms', '95.8 %', '10.3 MiB', '140 ms', '18 ms']);
    const layer = textOf(table).find(([, delivery]) => delivery === 'layer');
    expect(layer?.slice(5, 7)).toEqual(['none', '0 ms']);
  });

  test('is a dash where it is not known, and the table goes with the last of them', () => {
    const [first, ...others] = bench.rows;
    if (first === undefined) throw new Error('the sample has rows');
    const table = tabulateLimits({ ...bench, rows: [{ ...first, limit: null }, ...others] });
    expect(textOf(table)[0]?.slice(2)).toEqual(['206 ms', '–', '–', '–', '–', '–']);
    expect(table.notes.join('\n')).toContain('the link is not known');
    const mounted = tabulateLimits({ ...bench, rows: [{ ...first, delivery: 'mount', limit: null }] });
    expect(mounted.notes.slice(1)).toEqual(['– a mount has no known limit.']);
    expect(table.notes.at(-1)).toContain('no limit: the link is not known');
    const none = { ...bench, rows: bench.rows.map((row) => ({ ...row, limit: null })) };
    expect(renderBenchText(none, plain)).not.toContain('physical limit');
  });
});

describe('outliers', () => {
  test('are flagged, and named as part of every figure', () => {
    const table = tabulateTotals(bench);
    expect(columnOf(table, 'Runs')[0]).toBe('7 (1 outlier)');
    expect(table.notes.join(' ')).toContain('flagged, not dropped');
    expect(table.notes.join(' ')).toContain('fp32.single by s3-copy, run 5');
    const quiet = { ...bench, rows: bench.rows.map((row) => ({ ...row, outliers: [] })) };
    expect(tabulateTotals(quiet).notes.join(' ')).not.toContain('utlier');
  });
});

describe('where the model comes from', () => {
  const sourced = withSources(bench);

  test('is told when a model hub was measured beside something else', () => {
    expect(hasSources(bench)).toBe(false);
    expect(hasSources(sourced)).toBe(true);
    expect(hasSources({ ...sourced, rows: sourced.rows.slice(0, 1) })).toBe(false);
  });

  test('has means that add up, the range, and the saving against the hub in percent', () => {
    const table = tabulateSources(sourced);
    expect(columnOf(table, 'Source')).toEqual(['model hub (url)', 'copy (s3-copy)', 'mount', 'disk (layer)']);
    // The factors of the five sample runs have a mean of 1.02.
    expect(columnOf(table, 'Download')).toEqual(['30.6 s', '25.6 s', '0 ms', '0 ms']);
    expect(columnOf(table, 'Total')).toEqual(['51.6 s', '32.7 s', '732.3 s', '30.9 s']);
    expect(columnOf(table, 'Min–max')[0]).toBe('48.1–57.7 s');
    expect(columnOf(table, 'Saved')).toEqual([
      '–',
      '36.6 % (37 to 37)',
      '−1318.7 % (−1319 to −1319)',
      '40.1 % (40 to 40)',
    ]);
  });

  test('compares a model with itself only, in the same memory', () => {
    const two = withMemories(sourced, [2048, 4096]);
    const slowHub = two.samples.map((sample) =>
      sample.delivery === 'url' && sample.memoryMiB === 2048 && sample.phases !== null
        ? { ...sample, phases: { ...sample.phases, downloadMs: sample.phases.downloadMs * 10 } }
        : sample,
    );
    const saved = columnOf(tabulateSources({ ...two, samples: slowHub }), 'Saved');
    expect(saved[1]).not.toBe(saved[5]);
    expect(saved[5]).toBe('36.6 % (37 to 37)');
  });

  test('says how sure a saving is: the range of single rounds, and ~ where it can be chance', () => {
    const [hub, copy] = sourced.rows;
    if (hub === undefined || copy === undefined) throw new Error('there are two sources');
    const savedBy = (factors: readonly number[], row = copy) => {
      const of = (from: typeof hub, factor: number, run: number) =>
        sampleRow(from)
          .slice(0, 1)
          .map((sample) => ({
            ...sample,
            run,
            phases: {
              startMs: 0,
              runtimeMs: 0,
              downloadMs: 1000 * factor,
              sessionMs: 0,
              firstInferenceMs: 0,
            },
          }));
      const samples = factors.flatMap((factor, run) => [...of(hub, 1, run), ...of(row, factor, run)]);
      const table = tabulateSources({ ...sourced, rows: [hub, row], samples });
      return { cell: columnOf(table, 'Saved')[1], notes: table.notes.join('\n') };
    };
    const sure = savedBy([0.5, 0.5, 0.5, 0.5, 0.5, 0.8]);
    expect(sure.cell).toBe('45.0 % (20 to 50)');
    expect(sure.notes).toContain('6 rounds per row');
    expect(sure.notes).not.toContain('~');
    expect(savedBy([0.5, 0.5, 0.5, 0.5, 0.5, 1.1]).cell).toBe('~40.0 % (−10 to 50)');
    const few = savedBy([0.5, 0.5, 0.8]);
    expect(few.cell).toBe('~40.0 % (20 to 50)');
    expect(few.notes).toContain('~ not sure: fewer than 6 rounds');
    const apart = savedBy([0.5], { ...copy, delivery: 'layer', comparable: { total: 'why', ready: null } });
    expect(apart.cell).toBe('~50.0 % *');
    expect(apart.notes).toContain('* not comparable: layer: why');
  });

  test('counts only rounds that have both, so that it lies within their range', () => {
    const of = (run: number, downloadMs: number) => ({
      run,
      phases: { startMs: 0, runtimeMs: 0, downloadMs, sessionMs: 0, firstInferenceMs: 0 },
    });
    const hub = [of(0, 1000), of(1, 1000), of(2, 9000)];
    const own = [of(0, 900), of(1, 800), { run: 2, phases: null }];
    expect(savingOf(own, hub)).toMatchObject({ percent: expect.closeTo(15), rounds: 2 });
    expect(savingOf([of(5, 1)], hub)).toBeNull();
  });

  test('is a dash where nothing got through, never 0', () => {
    const samples = sourced.samples.map((sample) =>
      sample.delivery === 'url' ? { ...sample, phases: null, error: { code: 'x', what: 'y' } } : sample,
    );
    const table = tabulateSources({ ...sourced, samples });
    expect(textOf(table)[0]?.slice(2)).toEqual(['–', '–', '–', '–', '–', '–', '–']);
    expect(columnOf(table, 'Saved')).toEqual(['–', '–', '–', '–']);
  });
});

describe('means of phases', () => {
  const durations = fc.record({
    startMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
    runtimeMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
    downloadMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
    sessionMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
    firstInferenceMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
  });

  test('add up to the mean total, which lies within the range', () => {
    fc.assert(
      fc.property(fc.array(durations, { minLength: 1, maxLength: 20 }), (all) => {
        const means = meanPhases(all.map((phases) => ({ phases })));
        if (means === null) throw new Error('there are samples');
        const { startMs, downloadMs, sessionMs, firstInferenceMs, totalMs } = means;
        expect(startMs + downloadMs + sessionMs + firstInferenceMs).toBeCloseTo(totalMs, 4);
        expect(totalMs).toBeGreaterThanOrEqual(means.minTotalMs - 1e-6);
        expect(totalMs).toBeLessThanOrEqual(means.maxTotalMs + 1e-6);
        expect(means.count).toBe(all.length);
      }),
    );
  });

  test('leave failed samples out and are nothing without any', () => {
    expect(meanPhases([])).toBeNull();
    expect(meanPhases([{ phases: null }])).toBeNull();
    const phases = { startMs: 1, runtimeMs: 2, downloadMs: 3, sessionMs: 4, firstInferenceMs: 5 };
    expect(meanPhases([{ phases }, { phases: null }])).toMatchObject({ totalMs: 15, count: 1 });
  });

  test('give the savings of the study', () => {
    expect(savingPercent(32.01, 50.53)).toBeCloseTo(36.65, 2);
    expect(savingPercent(717.89, 50.53)).toBeCloseTo(-1320.72, 2);
  });
});

describe('what a benchmark was measured under', () => {
  const say = (of: BenchReport) =>
    textOf(tabulateConditions(of))
      .map((row) => row.join(': '))
      .join('\n');

  test('says the link as asked for and as achieved', () => {
    expect(say(bench)).toContain(
      'achieved 88.4 MB/s (98.2 % of what was asked for) and 20.6 ms (20.0 asked for) to the first byte',
    );
    const direct = { ...bench, link: { ...bench.link, label: 'S3', simulated: false, achieved: null } };
    expect(say(direct)).not.toContain('achieved');
  });

  test('says that no engine was pinned to a processor where one would have been', () => {
    expect(say(bench)).not.toContain('pinned');
    const runtimes = [...bench.runtimes, { engine: 'openvino' as const, version: '2026.4.1' }];
    expect(say({ ...bench, runtimes })).toMatch(
      /^Engines: .*, openvino 2026\.4\.1; with equal threads, none pinned to a processor$/m,
    );
  });

  test('says how each profile and the disk were kept to, and where the threads come from', async () => {
    const rich = (await makeRichView()).bench;
    if (rich === null) throw new Error('the view has a benchmark');
    expect(say(rich)).toContain(
      '2,048 MiB †: 1.16 vCPU; 1 thread (cgroup quota 1.16 CPU); processors limited by cgroup v1; memory not limited',
    );
    expect(say(rich)).toMatch(/^Disk: held to 125 MiB\/s by control group v1; checked: 112.9 MiB\/s$/m);
    expect(say(rich)).toContain('Link of url: simulated model hub over HTTP');
    expect(say(bench)).toContain('Whole machine: 2 vCPU; 2 threads (2 processors); processors not limited');
  });

  test('names every link that was passed, and none that was not', () => {
    const hubLink = { ...bench.link, label: 'model hub over HTTP, 60 ms to the first byte' };
    const none = { ...bench.link, label: 'none: nothing is downloaded', simulated: false, achieved: null };
    const ofUrl = bench.rows.slice(0, 1).map((row) => ({ ...row, delivery: 'url' as const }));
    const hubOnly = { ...bench, rows: ofUrl, link: none, hubLink };
    expect(describeLinks(hubOnly)).toBe(
      'simulated link of url: model hub over HTTP, 60 ms to the first byte',
    );
    expect(say(hubOnly)).not.toMatch(/^Link: /m);
    expect(describeLinks({ ...bench, rows: [...bench.rows, ...ofUrl], hubLink })).toMatch(
      /^link: simulated by .*; simulated link of url: model hub/,
    );
    expect(describeLinks({ ...bench, hubLink })).not.toContain('url');
    const layers = bench.rows.filter((row) => row.delivery === 'layer');
    expect(describeLinks({ ...bench, rows: layers, link: none })).toBe('link: nothing is downloaded');
  });

  test('says that the host took time only when it took more than 2 % from a sample', () => {
    const steal = (stealMs: number | null) =>
      say({ ...bench, samples: bench.samples.map((sample) => ({ ...sample, stealMs })) });
    expect(steal(0)).not.toContain('Steal');
    expect(steal(null)).not.toContain('Steal');
    expect(steal(3)).not.toContain('Steal');
    expect(steal(50)).toMatch(
      /Steal: the host took more than 2 % .* from 112 of 112 samples, at most 1\d\.\d %/,
    );
  });
});

describe('the line of a gate', () => {
  const name = { variantId: 'fp16.single', delivery: 's3-copy' as const, memoryMiB: null };
  const baseline = {
    release: 'R',
    baseline: { ...name, variantId: 'fp16.single@R' },
    candidate: name,
    mostRatio: 1.1,
    total: { ratio: 1.12, low: 1.08, high: 1.16, samples: 7, verdict: 'slower' as const },
    verdict: 'fail' as const,
  };

  test('says what was compared, with which release, what is accepted and what it came to', () => {
    expect(describeGate(baseline)).toEqual({
      text: 'Gate: fp16.single by s3-copy is 1.12 × (1.08–1.16) release R; accepted ≤ 1.10: fails',
      tone: 'bad',
    });
    expect(describeGate({ ...baseline, verdict: 'pass' }).text).toMatch(/: passes$/);
    expect(describeGate({ ...baseline, verdict: 'inconclusive' }).text).toMatch(
      /: could not be judged, the interval reaches to both sides of it$/,
    );
  });

  test('blames too few samples, and no interval, where there is none', () => {
    const total = { ...baseline.total, samples: 3, verdict: 'too-few-samples' as const };
    const { text } = describeGate({ ...baseline, total, verdict: 'inconclusive' });
    expect(text).toBe(
      'Gate: fp16.single by s3-copy is 1.12 × (too few samples: 3 of 6) release R; accepted ≤ 1.10: could not be judged',
    );
  });

  test('names what the release had shipped when it is something else', () => {
    const other = {
      ...baseline,
      baseline: { ...name, variantId: 'fp32.single@R', delivery: 'layer' as const },
    };
    expect(describeGate(other).text).toContain('release R (fp32.single by layer);');
  });

  test('comes before everything else, then the totals, last how it was measured', async () => {
    const rich = (await makeRichView()).bench;
    if (rich === null) throw new Error('the view has a benchmark');
    const titles = [
      'Gate: ',
      'Benchmark: ',
      'Against the ',
      'Load against',
      'Where the ',
      'Phases: ',
      'How it was',
    ];
    const isTitle = (line: string) => titles.find((title) => line.startsWith(title));
    const seen = renderBenchText(rich, plain)
      .split('\n')
      .flatMap((line) => isTitle(line) ?? []);
    expect([...new Set(seen)]).toEqual(titles);
    expect(seen.at(-1)).toBe('How it was');
  });

  test('is the first line', () => {
    expect(renderBenchText({ ...bench, baseline }, plain).split('\n')[0]).toMatch(/^Gate: .* fails\.$/);
    expect(renderBenchText(bench, plain)).not.toContain('Gate');
  });
});
