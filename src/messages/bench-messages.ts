import { defineMessage } from './message.js';

type RowFacts = { variantId: string; delivery: string };

const milliseconds = (durationMs: number) => `${Math.round(durationMs)} ms`;
const nameRow = (facts: RowFacts) => `${facts.variantId} by ${facts.delivery}`;
const whyCached = ({ state, wasAsked }: { state: string; wasAsked: boolean }) => {
  if (wasAsked) return 'the page cache was filled on purpose';
  if (state === 'memory') return 'the files lie on a file system in memory, which has no cold state';
  return 'files that were to be evicted stayed in the page cache';
};
/** Few samples have no p95. */
const nameSlowEnd = ({ p95Ms, maxMs }: { p95Ms: number | null; maxMs: number }) =>
  p95Ms === null ? `slowest sample (${milliseconds(maxMs)})` : `slow end (p95 ${milliseconds(p95Ms)})`;
const nameEnd = (signal: string | null, exitCode: number | null) =>
  signal === null ? `with exit code ${exitCode}` : `by ${signal}`;

/** What keeps a benchmark, or one sample of it, from being taken. */
const benchErrors = {
  'bench-options-wrong': defineMessage<{ option: string; seen: string; expected: string }>({
    exit: 2,
    what: (facts) => `\`bench.${facts.option}\` is ${facts.seen}; expected ${facts.expected}.`,
    remedy: (facts) => `Set \`bench.${facts.option}\` in the pipeline to ${facts.expected}.`,
  }),
  'bench-nothing-to-measure': defineMessage<{ skipped: number }>({
    exit: 2,
    what: (facts) =>
      `There is no variant and delivery left to measure; ${facts.skipped} were left out for the reasons given.`,
    remedy: () =>
      'Name a delivery that fits in `bench.deliveries` of the pipeline, or allow more (`budgets`, `parity`, `pick.require`).',
  }),
  'bench-target-differs': defineMessage<{
    variantId: string;
    where: string;
    wantedDigest: string;
    foundDigest: string;
  }>({
    exit: 2,
    what: (facts) =>
      `${facts.where} holds the artifact ${facts.foundDigest}, but ${facts.variantId} to be measured is ${facts.wantedDigest}.`,
    remedy: () =>
      'Stage it again: `optimise-model run PIPELINE --redo stage`, or `optimise-model stage ARTIFACT --to STORE --name NAME`.',
  }),
  'price-needs-memory': defineMessage<{ region: string }>({
    exit: 2,
    what: (facts) =>
      `\`bench.price\` names ${facts.region}, but Lambda is priced by the memory of a function, and none is imitated.`,
    remedy: () =>
      'Set `bench.memoryMiB` in the pipeline (`--memory-mib`), or `bench.price` to `{ usdPerHour: … }`.',
  }),
  'bench-mount-missing': defineMessage<{ folder: string; source: string }>({
    exit: 2,
    what: (facts) =>
      `\`bench.mount.folder\` is ${facts.folder}, but the artifact is not below it: there is no ${facts.source}.`,
    remedy: () =>
      'Mount the store there (its keys are files below it: FOLDER/NAME/objects/…), or set `bench.mount.folder` to where it is mounted.',
  }),
  'price-unknown': defineMessage<{ region: string; architecture: string; known: readonly string[] }>({
    exit: 2,
    what: (facts) =>
      `There is no price of AWS Lambda in ${facts.region} on ${facts.architecture} in the table.`,
    remedy: (facts) =>
      `Set \`bench.price\` to \`{ usdPerHour: … }\`, or to a region and architecture of the table: ${facts.known.join(', ')}.`,
  }),
  'bench-sample-died': defineMessage<{ signal: string | null; exitCode: number | null; lastWords: string }>({
    exit: 3,
    what: (facts) =>
      `The process of the sample ended ${nameEnd(facts.signal, facts.exitCode)} before it gave a result.${facts.lastWords === '' ? '' : ` Its last words: ${facts.lastWords}`}`,
    remedy: () =>
      'Give the machine more memory or measure a smaller variant: an end by SIGKILL or SIGABRT is most often memory running out.',
  }),
  'bench-inference-differs': defineMessage<{ wanted: string; computedIn: string; engine: string }>({
    exit: 3,
    what: (facts) =>
      `${facts.engine} was to compute in ${facts.wanted}, but says that it computed in ${facts.computedIn}: the processor has no ${facts.wanted}.`,
    remedy: () =>
      'Measure it on a processor that has it (`optimise-model doctor` lists them), or take the variant out of `variants` of the pipeline.',
  }),
  'bench-threads-differ': defineMessage<{ wanted: number; had: number; engine: string }>({
    exit: 3,
    what: (facts) =>
      `${facts.engine} was to have ${facts.wanted} threads, but says that it had ${facts.had}: it takes no more than the processors that it finds.`,
    remedy: (facts) =>
      `Set \`bench.threads\` (\`--threads\`) to ${facts.had}, so that all engines have as many, or measure on a machine with more processors.`,
  }),
  'bench-sample-late': defineMessage<{ timeoutMs: number }>({
    exit: 3,
    what: (facts) => `The sample gave no result within ${milliseconds(facts.timeoutMs)} and was ended.`,
    remedy: () => 'Raise `bench.timeoutSeconds` in the pipeline, or lower `bench.warm`.',
  }),
};

/** What has to be known to read the figures of a benchmark; a closed list. */
const benchFindings = {
  'bench-link-simulated': defineMessage<{ label: string }>({
    exit: 0,
    what: (facts) => `The bytes came through a simulated link: ${facts.label}.`,
    remedy: () =>
      'Measure from `s3://` in the region that ships before you rely on `download`, or set `bench.link` to what was measured there.',
  }),
  'bench-link-not-shaped': defineMessage<{ label: string }>({
    exit: 0,
    what: (facts) => `The bytes came as fast as they could: ${facts.label}; no link model was applied.`,
    remedy: () =>
      'Compare `download` only with runs on the same network, or set `bench.link` for a directory store.',
  }),
  'bench-files-cached': defineMessage<{
    title: string;
    state: string;
    wasAsked: boolean;
    samples: number;
    of: number;
  }>({
    exit: 0,
    what: (facts) => `${facts.samples} of ${facts.of} samples are of "${facts.title}": ${whyCached(facts)}.`,
    remedy: (facts) =>
      facts.wasAsked
        ? 'Leave out `bench.cache: warm` (`--cache warm`) to measure with the files evicted.'
        : 'Add what a cold disk costs to `runtime`, and to `session` of deliveries that read a disk; `optimise-model doctor` says what this machine permits.',
  }),
  'bench-time-stolen': defineMessage<{ samples: number; of: number }>({
    exit: 0,
    what: (facts) =>
      `${facts.samples} of ${facts.of} samples lost processor time to other guests of this machine's host (steal); each says how much.`,
    remedy: () => 'Measure on a machine of its own, or raise `bench.runs`.',
  }),
  'bench-ephemeral-in-memory': defineMessage<{ folder: string }>({
    exit: 0,
    what: (facts) =>
      `${facts.folder} is a file system in memory: what is downloaded to it costs no disk, but memory.`,
    remedy: () => 'Set TMPDIR to a folder on a disk to measure what ephemeral storage costs.',
  }),
  'bench-environment-not-stated': defineMessage<{ variantIds: readonly string[]; delivery: string }>({
    exit: 0,
    what: (facts) =>
      `What the platform does with a ${facts.delivery} before the process starts was not seen here, so total and ready of ${facts.variantIds.join(', ')} by ${facts.delivery} are not comparable.`,
    remedy: (facts) =>
      `State it with its source in the pipeline: \`bench.environment: { ${facts.delivery}: { ms: …, source: … } }\`.`,
  }),
  'bench-environment-partial': defineMessage<{
    stated: readonly string[];
    without: readonly string[];
  }>({
    exit: 0,
    what: (facts) =>
      `The time before the process exists is stated for ${facts.stated.join(', ')} and counts as 0 for ${facts.without.join(', ')}: their totals are compared all the same.`,
    remedy: (facts) =>
      `State it for every delivery that is compared, with its source: \`bench.environment: { ${facts.without.map((delivery) => `${delivery}: { ms: …, source: … }`).join(', ')} }\`.`,
  }),
  'bench-samples-failed': defineMessage<
    RowFacts & { failures: number; runs: number; firstCode: string; firstWhat: string }
  >({
    exit: 0,
    what: (facts) =>
      `${nameRow(facts)}: ${facts.failures} of ${facts.runs} samples failed, the first with ${facts.firstCode}: ${facts.firstWhat}`,
    remedy: () =>
      'Mend what the first failure says, then measure again: figures stand for the other samples only.',
  }),
  'bench-spread-wide': defineMessage<
    RowFacts & {
      medianMs: number;
      p95Ms: number | null;
      maxMs: number;
      ratio: number;
      wideRows: number;
      rows: number;
    }
  >({
    exit: 0,
    what: (facts) =>
      `The total spreads widely in ${facts.wideRows} of ${facts.rows} rows, most in ${nameRow(facts)}: its ${nameSlowEnd(facts)} is ${facts.ratio.toFixed(1)} times its median (${milliseconds(facts.medianMs)}).`,
    remedy: () => 'Let the machine do nothing else and raise `bench.runs`, then measure again.',
  }),
  'bench-threads-oversubscribed': defineMessage<{ threads: number; cores: number }>({
    exit: 0,
    what: (facts) =>
      `${facts.threads} threads were asked for, but this process may use ${facts.cores} processors.`,
    remedy: (facts) => `Set \`bench.threads\` (\`--threads\`) to ${facts.cores} or fewer.`,
  }),
  'bench-row-skipped': defineMessage<RowFacts & { reason: string }>({
    exit: 0,
    what: (facts) => `${nameRow(facts)} was not measured: ${facts.reason}.`,
    remedy: () => 'Change what the reason names if it is to be measured.',
  }),
};

/** Messages of the bench area. */
export const benchMessages = { ...benchErrors, ...benchFindings };
