import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseSessions } from '../../../src/bench/tune/choose-sessions.js';
import { beats, findParetoFront } from '../../../src/bench/tune/find-pareto-front.js';
import { listTuneFindings } from '../../../src/bench/tune/list-tune-findings.js';
import {
  nameConfiguration,
  planConfigurations,
  planGraphs,
} from '../../../src/bench/tune/plan-configurations.js';
import { summariseConfiguration } from '../../../src/bench/tune/summarise-configuration.js';
import type { TunedConfiguration, TuneForm } from '../../../src/bench/tune/tune-result.js';
import {
  type OptimisationLevel,
  type SessionOptions,
  usualSessions,
} from '../../../src/lib/session-options.js';
import type { Layout } from '../../../src/lib/variant.js';

const plain = { modelCache: 'none', isMapped: true } as const;
const onnx = { engine: 'onnxruntime', layout: 'single' } as const;

function tuned(
  form: TuneForm,
  prepacking: boolean,
  optimisation: OptimisationLevel,
  readyMs: number,
  steadyMs: number,
): TunedConfiguration {
  const rest = {
    sizeBytes: 1,
    cacheSizeBytes: null,
    peakRssBytes: 1,
    boundTo: null,
    samples: [],
    error: null,
  };
  const session: SessionOptions = { prepacking, optimisation };
  return {
    form,
    saved: null,
    session,
    ...plain,
    sessionMs: 1,
    firstInferenceMs: 1,
    readyMs,
    steadyMs,
    ...rest,
  };
}

/** A graph that was saved at level `all`, opened with prepacking. */
function saved(readyMs: number, steadyMs: number, isPrepacked: boolean): TunedConfiguration {
  const boundTo = 'processors of this family';
  return {
    ...tuned('own', true, 'disabled', readyMs, steadyMs),
    saved: { optimisation: 'all', isPrepacked },
    boundTo,
  };
}

/** The same with one sample per sum of session and first inference, the first of them with quick inferences afterwards. */
function sampled(each: TunedConfiguration, ...readyMs: readonly number[]): TunedConfiguration {
  const samples = readyMs.map((sum, run) => ({
    ...{ run, sessionMs: 1, firstInferenceMs: sum - 1, peakRssBytes: 1, cacheSizeBytes: null },
    steadyMs: [run === 0 ? 10 : 30],
  }));
  return { ...each, samples };
}

describe('planConfigurations', () => {
  it('opens both forms with every level, with and without prepacking', () => {
    const opened = planConfigurations(['disabled', 'all'], onnx).filter((each) => each.saved === null);
    expect(opened.length).toBe(2 * 2 * 2);
  });

  it('saves no graph that is not rewritten, and rewrites none that was saved', () => {
    const planned = planConfigurations(['disabled', 'extended', 'all'], onnx).filter(
      (each) => each.saved !== null,
    );
    expect(planned.length).toBe(2 * 3);
    for (const { saved: graph, session } of planned) {
      expect(graph?.optimisation).not.toBe('disabled');
      expect(session.optimisation).toBe('disabled');
    }
    expect(planGraphs(['disabled'])).toEqual([]);
  });

  it('opens prepacked weights with prepacking only', () => {
    const prepacked = planConfigurations(['all'], onnx).filter((each) => each.saved?.isPrepacked);
    expect(prepacked.map((each) => each.session.prepacking)).toEqual([true]);
  });

  it('tries of OpenVINO what it has a say on: a model cache and mapped files', () => {
    const tried = (layout: Layout) =>
      planConfigurations(['all'], { engine: 'openvino', layout }).map(nameConfiguration);
    const ir = [
      'own, all, prepacking',
      'own, model cache cold',
      'own, model cache warm',
      'own, files read, not mapped',
    ];
    expect(tried('ir')).toEqual(ir);
    expect(tried('external')).toEqual([...ir, 'expanded, all, prepacking']);
    expect(tried('blob')).toEqual(ir.slice(0, 1));
  });
});

describe('findParetoFront', () => {
  const points = fc.array(fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9)), { maxLength: 40 });

  it('holds nobody that is beaten, and everybody outside is beaten by one of the front', () => {
    fc.assert(
      fc.property(points, (all) => {
        const front = findParetoFront(all);
        const members = front.map((index) => all[index] ?? []);
        for (const member of members) expect(all.some((other) => beats(other, member))).toBe(false);
        for (const [index, point] of all.entries()) {
          if (!front.includes(index)) expect(members.some((member) => beats(member, point))).toBe(true);
        }
      }),
    );
  });

  it('is never empty where there is anything', () => {
    fc.assert(fc.property(points, (all) => findParetoFront(all).length > 0 || all.length === 0));
  });

  it('holds all of equal points, which do not beat each other', () => {
    expect(
      findParetoFront([
        [1, 2],
        [2, 3],
        [1, 2],
      ]),
    ).toEqual([0, 2]);
  });
});

describe('chooseSessions', () => {
  it('takes the soonest ready of those whose steady inferences are fast enough', () => {
    const all = [
      tuned('own', true, 'all', 1300, 590),
      tuned('own', false, 'all', 850, 640),
      tuned('own', false, 'disabled', 700, 660),
    ];
    const { chosen, reason } = chooseSessions(all, 1.1);
    expect(chosen.own).toEqual({ prepacking: false, optimisation: 'all' });
    expect(reason).toContain('no prepacking and optimisation `all`, 850 ms');
    expect(reason).toContain('1.08 times the fastest steady inference, out of 3');
    expect(chooseSessions(all, 1.05).chosen.own).toEqual({ prepacking: true, optimisation: 'all' });
    expect(chooseSessions(all, 1.2).chosen.own).toEqual({ prepacking: false, optimisation: 'disabled' });
  });

  it('takes the usual options where others gain 2 % or less', () => {
    const all = [tuned('own', true, 'all', 102, 10), tuned('own', true, 'disabled', 100, 10)];
    expect(chooseSessions(all, 1.1).chosen.own).toEqual(usualSessions.own);
    const further = [tuned('own', true, 'all', 103, 10), tuned('own', true, 'disabled', 100, 10)];
    expect(chooseSessions(further, 1.1).chosen.own.optimisation).toBe('disabled');
  });

  it('takes the usual options where runs of others overlap with them', () => {
    const quick = sampled(tuned('own', false, 'all', 100, 10), 90, 100, 120);
    const usual = tuned('own', true, 'all', 150, 10);
    expect(chooseSessions([quick, sampled(usual, 119, 150, 180)], 1.1).chosen.own).toEqual(usualSessions.own);
    expect(chooseSessions([quick, sampled(usual, 121, 150, 180)], 1.1).chosen.own.prepacking).toBe(false);
  });

  it('compares medians of steady inferences: one quick run does not let slow options in', () => {
    const slow = sampled(tuned('own', false, 'all', 100, 30), 99, 100, 101);
    const usual = sampled(tuned('own', true, 'all', 500, 10), 490, 500, 510);
    expect(slow.samples[0]?.steadyMs).toEqual([10]);
    expect(chooseSessions([slow, usual], 1.1).chosen.own).toEqual(usualSessions.own);
    expect(chooseSessions([{ ...slow, steadyMs: 11 }, usual], 1.1).chosen.own.prepacking).toBe(false);
  });

  it('leaves the usual options, and says so, where runs of the same differ by more than half', () => {
    const quick = tuned('own', false, 'all', 100, 10);
    const usual = sampled(tuned('own', true, 'all', 500, 10), 490, 500, 510);
    const noisy = [sampled(quick, 60, 100, 300), sampled(quick, 60, 100, 300), usual];
    const { chosen, reason } = chooseSessions(noisy, 1.1);
    expect(chosen).toEqual(usualSessions);
    expect(reason).toContain('differ by 5.0 times');
    expect(listTuneFindings('v', noisy, chosen, 1.1)).toMatchObject([
      { code: 'tune-too-noisy', severity: 'warning' },
    ]);
    const calm = [sampled(quick, 90, 100, 120), usual];
    expect(chooseSessions(calm, 1.1).chosen.own.prepacking).toBe(false);
  });

  it('chooses for each form by itself, and the usual options for one without figures', () => {
    const { chosen, reason } = chooseSessions([tuned('own', false, 'basic', 5, 5)], 1.1);
    expect(chosen).toEqual({
      own: { prepacking: false, optimisation: 'basic' },
      stream: usualSessions.stream,
    });
    expect(reason).toContain('By stream: no prepacking and optimisation `all`, as nothing was measured');
  });

  it('never chooses what failed, or a graph that no release holds', () => {
    const failed = { ...tuned('own', false, 'all', 1, 1), error: { code: 'died', what: 'it died' } };
    const all = [tuned('own', true, 'all', 100, 10), failed, saved(1, 10, true)];
    expect(chooseSessions(all, 1.1).chosen.own).toEqual(usualSessions.own);
  });
});

describe('listTuneFindings', () => {
  const all = [tuned('own', true, 'all', 100, 10), tuned('expanded', false, 'all', 90, 10)];
  const { chosen } = chooseSessions(all, 1.1);

  it('tells what the best saved graph would gain, and what it is bound to', () => {
    const findings = listTuneFindings('v', [...all, saved(80, 10, true), saved(85, 10, false)], chosen, 1.1);
    expect(findings).toMatchObject([
      { code: 'tune-offline-gain', severity: 'info', facts: { readyMs: 80, chosenMs: 90 } },
    ]);
    expect(findings[0]?.what).toContain('bound to processors of this family');
  });

  it('is silent about one that gains nothing, or is too slow afterwards', () => {
    expect(listTuneFindings('v', [...all, saved(89, 10, true), saved(50, 20, false)], chosen, 1.1)).toEqual(
      [],
    );
  });

  it('tells what failed', () => {
    const error = { code: 'died', what: 'it died' };
    const failed = { ...tuned('own', false, 'basic', 1, 1), readyMs: null, error };
    const findings = listTuneFindings('v', [...all, failed], chosen, 1.1);
    expect(findings).toMatchObject([{ code: 'tune-configuration-failed', severity: 'warning' }]);
    expect(findings[0]?.what).toContain('own, basic, no prepacking');
  });

  it('tells of all graphs that were saved and cannot be opened at once', () => {
    const fail = (what: string) => ({ ...saved(1, 1, false), readyMs: null, error: { code: 'died', what } });
    const findings = listTuneFindings('v', [...all, fail(`a${'b'.repeat(900)}`), fail('c')], chosen, 1.1);
    expect(findings).toMatchObject([
      { code: 'tune-saved-graphs-failed', severity: 'info', facts: { failures: 2, graphs: 2, code: 'died' } },
    ]);
    expect(findings[0]?.what).toMatch(/^v: onnxruntime cannot open .* \(2 of 2, died\): ab{239}…$/);
  });

  it('say what a model cache gains where it gains something, and what it is bound to; it is never chosen', () => {
    const own = tuned('own', true, 'all', 100, 10);
    const cold = { ...own, readyMs: 150, modelCache: 'cold' } as const;
    const warm = {
      ...own,
      readyMs: 60,
      modelCache: 'warm',
      cacheSizeBytes: 9,
      boundTo: 'OpenVINO 1',
    } as const;
    expect(listTuneFindings('v', [own, cold, warm], usualSessions, 1.1)).toMatchObject([
      {
        code: 'tune-cache-gain',
        severity: 'info',
        facts: { plainMs: 100, coldMs: 150, warmMs: 60, cacheSizeBytes: 9, boundTo: 'OpenVINO 1' },
      },
    ]);
    expect(listTuneFindings('v', [own, cold, { ...warm, readyMs: 99 }], usualSessions, 1.1)).toEqual([]);
    const other = { ...warm, session: { prepacking: false, optimisation: 'basic' } } as const;
    const unmapped = { ...other, modelCache: 'none', isMapped: false } as const;
    expect(chooseSessions([own, other, unmapped], 1.1).chosen.own).toEqual(usualSessions.own);
  });
});

describe('summariseConfiguration', () => {
  const machine = { cpuModel: 'a processor', engineVersion: '1.2.3' };
  const configuration = { form: 'own', saved: null, session: usualSessions.own, ...plain } as const;
  const model = { modelPath: 'm', paths: [], sizeBytes: 5 };
  const of = (run: number, sessionMs: number, firstInferenceMs: number, ...steadyMs: number[]) => ({
    run,
    sessionMs,
    firstInferenceMs,
    steadyMs,
    peakRssBytes: 10 + run,
    cacheSizeBytes: null,
  });

  it('adds session and first inference up per process, since medians do not add', () => {
    const samples = [of(0, 1, 10, 4, 6), of(1, 10, 1, 5), of(2, 1, 1, 5)];
    expect(summariseConfiguration({ configuration, model, samples, error: null }, machine)).toMatchObject({
      sessionMs: 1,
      firstInferenceMs: 1,
      readyMs: 11,
      steadyMs: 5,
      peakRssBytes: 12,
      boundTo: null,
    });
  });

  it('has no figure where a process failed, but keeps what was sampled', () => {
    const error = { code: 'died', what: 'it died' };
    const samples = [of(0, 1, 1, 1)];
    expect(summariseConfiguration({ configuration, model, samples, error }, machine)).toMatchObject({
      readyMs: null,
      steadyMs: null,
      peakRssBytes: null,
      samples,
      error,
    });
  });

  it('gives a saved graph that failed no bytes, and binds it to nothing', () => {
    const graph = { ...configuration, saved: { optimisation: 'all', isPrepacked: true } } as const;
    const error = { code: 'died', what: 'it died' };
    expect(
      summariseConfiguration({ configuration: graph, model, samples: [], error }, machine),
    ).toMatchObject({ sizeBytes: null, boundTo: null, error });
  });

  it.each([
    ['extended', false, null],
    ['layout', false, 'processors of this family (a processor)'],
    ['all', false, 'processors of this family (a processor)'],
    ['extended', true, 'processors like this one (a processor) and onnxruntime 1.2.3'],
  ] as const)(
    'says of a graph saved at %s, prepacked %s, that it is bound to %s',
    (optimisation, isPrepacked, to) => {
      const graph = { ...configuration, saved: { optimisation, isPrepacked } };
      const { boundTo } = summariseConfiguration(
        { configuration: graph, model, samples: [], error: null },
        machine,
      );
      expect(boundTo).toBe(to);
    },
  );
});
