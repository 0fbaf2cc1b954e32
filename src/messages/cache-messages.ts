import { defineMessage } from './message.js';

type Mapper = { readonly pid: number; readonly name: string };

const nameMappers = (mappers: readonly Mapper[]) =>
  mappers.length === 0
    ? 'no process that may be looked at maps it'
    : `mapped by ${mappers.map(({ pid, name }) => `${name} (process ${pid})`).join(', ')}`;

const nameCpuLimit = (limit: string) => {
  if (limit === 'none') return 'processors are not limited';
  return limit === 'affinity' ? 'processors are limited to whole ones' : 'processors are limited';
};

/** What keeps a start from being cold, and a machine from standing in for a function. */
export const cacheMessages = {
  'bench-eviction-refused': defineMessage<{
    path: string;
    residentPages: number;
    totalPages: number;
    mappers: readonly Mapper[];
  }>({
    exit: 0,
    what: (facts) =>
      `${facts.residentPages} of ${facts.totalPages} pages of ${facts.path} stayed in the page cache, ${nameMappers(facts.mappers)}: its samples are of files that are cached.`,
    remedy: () => 'End what has the file open, then measure again.',
  }),
  'bench-residency-unknown': defineMessage<{ title: string }>({
    exit: 0,
    what: (facts) =>
      `Files were asked to leave the page cache, but it cannot be seen here whether they did: samples are titled "${facts.title}".`,
    remedy: () =>
      'Measure on Linux as the user who owns the runtime and the artifacts, or as root, to have the state verified.',
  }),
  'bench-drop-refused': defineMessage<{ title: string }>({
    exit: 0,
    what: (facts) =>
      `The kernel did not let this process drop its caches, so files were evicted one by one: samples are titled "${facts.title}".`,
    remedy: () =>
      'Run as root where /proc/sys/vm/drop_caches may be written, or set `bench.cache: evict` in the pipeline.',
  }),
  'bench-mount-cache-unseen': defineMessage<{
    fileSystem: string;
    folders: readonly string[];
    rows: readonly string[];
  }>({
    exit: 0,
    what: (facts) =>
      `${facts.folders.join(', ')}: files there come through ${facts.fileSystem}, and whether its daemon or server has them in a cache of its own is not seen here. The state of ${facts.rows.join(', ')} is that of the kernel's cache alone.`,
    remedy: () =>
      'Mount it without a cache of its own (s3fs without `use_cache`, rclone with its VFS cache off), or take these rows as what they are with that cache filled.',
  }),
  'bench-profile-beyond-machine': defineMessage<{ memoryMiB: number; vcpus: number; cpus: number }>({
    exit: 0,
    what: (facts) =>
      `${facts.memoryMiB} MiB of a function stand for ${facts.vcpus.toFixed(2)} processors, but this process may use ${facts.cpus}: its rows are slower here than there.`,
    remedy: (facts) =>
      `Measure on a machine with ${Math.ceil(facts.vcpus)} processors or more, or take ${facts.memoryMiB} out of \`bench.memoryMiB\`.`,
  }),
  'bench-profile-not-enforced': defineMessage<{
    memoryMiB: number;
    cpuLimit: string;
    memoryLimit: string;
    reason: string;
  }>({
    exit: 0,
    what: (facts) =>
      `The profile of ${facts.memoryMiB} MiB does not hold in full: ${nameCpuLimit(facts.cpuLimit)}, ${facts.memoryLimit === 'none' ? 'memory is not limited' : 'memory is limited'}; ${facts.reason}.`,
    remedy: () =>
      'Run as root, or in a control group that this user may write; `optimise-model doctor` shows what this machine offers.',
  }),
  'bench-quota-unclear': defineMessage<{ warning: string }>({
    exit: 0,
    what: (facts) => facts.warning,
    remedy: () => 'Set `bench.threads` (`--threads`) to the processors that this process really has.',
  }),
  'bench-sample-out-of-memory': defineMessage<{ memoryMiB: number; peakBytes: number | null }>({
    exit: 3,
    what: (facts) =>
      `The sample needed more than the ${facts.memoryMiB} MiB of its profile and was ended by the kernel${facts.peakBytes === null ? '' : ` at ${Math.round(facts.peakBytes / 2 ** 20)} MiB`}.`,
    remedy: () =>
      'Give the function more memory (`bench.memoryMiB`), or ship a variant or delivery that needs less, such as the external layout.',
  }),
};
