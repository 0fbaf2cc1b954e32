import { defineMessage } from './message.js';

type RowFacts = { variantId: string; delivery: string };
type BaselineFacts = {
  release: string;
  candidate: RowFacts;
  ratio: number;
  low: number;
  high: number;
  mostRatio: number;
};

const nameRow = ({ variantId, delivery }: RowFacts) => `${variantId} by ${delivery}`;
const percent = (share: number) => `${Number((share * 100).toPrecision(3))} %`;
const showInterval = ({ ratio, low, high }: BaselineFacts) =>
  `${ratio.toFixed(3)} times (95 % interval ${low.toFixed(3)} to ${high.toFixed(3)})`;
const showMost = ({ release, mostRatio }: BaselineFacts) =>
  `that of release ${release}, measured in the same rounds; accepted is up to ${Number(mostRatio.toPrecision(6))} times`;
const showChange = (facts: BaselineFacts) =>
  `The total of ${nameRow(facts.candidate)} is ${showInterval(facts)} ${showMost(facts)}`;

/** What the statistics of a benchmark have to say. */
export const statisticsMessages = {
  'bench-outliers-flagged': defineMessage<
    RowFacts & { outliers: number; samples: number; rows: number; runs: readonly number[] }
  >({
    exit: 0,
    what: (facts) =>
      `${facts.outliers} of ${facts.samples} samples, in ${facts.rows} ${facts.rows === 1 ? 'row' : 'rows'}, lie far from the median of their row (more than 3.5 deviations, by the median absolute deviation), most in ${nameRow(facts)} (round ${facts.runs.map((run) => run + 1).join(', ')}). They are part of every figure.`,
    remedy: () =>
      'See what else the machine did in those rounds (the raw samples say when time was stolen); if it was not the function itself, measure again on a quieter machine.',
  }),
  'bench-width-not-reached': defineMessage<
    RowFacts & { width: number | null; targetWidth: number; wideRows: number; rows: number; runs: number }
  >({
    exit: 0,
    what: (facts) =>
      `After ${facts.runs} rounds the median total of ${facts.wideRows} of ${facts.rows} rows is not known to ${percent(facts.targetWidth)} yet: the 95 % interval of ${nameRow(facts)} ${facts.width === null ? 'needs at least six samples' : `is ${percent(facts.width)} of the median wide`}.`,
    remedy: () =>
      'Raise `bench.mostRuns` in the pipeline, accept a wider interval (`bench.targetWidth`), or quieten the machine.',
  }),
  'bench-slower-than-baseline': defineMessage<BaselineFacts>({
    exit: 1,
    what: (facts) => `${showChange(facts)}.`,
    remedy: (facts) =>
      `Compare the phases of both rows for what became slower and mend it before you publish, or accept more: \`optimise-model bench --baseline ${facts.release} --max-slowdown SHARE\`.`,
  }),
  'bench-baseline-inconclusive': defineMessage<
    BaselineFacts & { samples: number; neededSamples: number | null }
  >({
    exit: 4,
    what: (facts) =>
      facts.neededSamples === null
        ? `${showChange(facts)}. The interval reaches to both sides of that, so it cannot be judged.`
        : `The total of ${nameRow(facts.candidate)} is ${facts.ratio.toFixed(3)} times ${showMost(facts)}. It cannot be judged by ${facts.samples} samples of a row; that takes ${facts.neededSamples} of both.`,
    remedy: (facts) =>
      facts.neededSamples === null
        ? 'Take more samples (`--runs N`) on a machine that does nothing else.'
        : `Take ${facts.neededSamples} samples or more (\`--runs ${facts.neededSamples}\`, \`bench.runs\` in the pipeline).`,
  }),
  'bench-baseline-passed': defineMessage<BaselineFacts>({
    exit: 0,
    what: (facts) => `${showChange(facts)}: not slower than that.`,
    remedy: () => 'Nothing to do.',
  }),
  'bench-baseline-none': defineMessage<{ url: string }>({
    exit: 0,
    what: (facts) => `There is no ${facts.url} yet, so there is no release to compare this run with.`,
    remedy: () => 'Nothing to do: the next run is compared with the release that this one publishes.',
  }),
  'bench-baseline-no-release': defineMessage<{ url: string }>({
    exit: 2,
    what: (facts) => `${facts.url} names an artifact, which says nothing of how it was shipped.`,
    remedy: () =>
      'Name a release: its name, `current`, or the address of its document (`--baseline`, `bench.baseline.release`).',
  }),
  'bench-baseline-not-comparable': defineMessage<{ release: string; reason: string }>({
    exit: 4,
    what: (facts) => `Nothing could be compared with release ${facts.release}: ${facts.reason}.`,
    remedy: () =>
      'Mend what the reason names, then measure again: state `bench.environment` for a layer, and see that samples of both sides get through.',
  }),
};
