import { defineMessage } from './message.js';

const megabytes = (bytesPerSecond: number) => `${Number((bytesPerSecond / 1e6).toPrecision(3))} MB/s`;
const mebibytes = (bytesPerSecond: number) => `${Number((bytesPerSecond / 2 ** 20).toPrecision(4))} MiB/s`;
const milliseconds = (durationMs: number) => `${durationMs.toFixed(1)} ms`;

/** Messages of links and disks that a benchmark imitates. */
export const linkMessages = {
  'bench-link-not-http': defineMessage<{ endpoint: string }>({
    exit: 2,
    what: (facts) =>
      `${facts.endpoint} cannot be held to a link model: its connections are encrypted, and what passes them cannot be told apart on the way; expected an \`http://\` address of a server on this machine.`,
    remedy: () => 'Set `bench.link` to `real` in the pipeline: a real network needs no imitation.',
  }),
  'bench-link-off': defineMessage<{
    askedBytesPerSecond: number;
    achievedBytesPerSecond: number;
    askedLatencyMs: number;
    achievedLatencyMs: number;
  }>({
    exit: 0,
    what: (facts) =>
      `The simulated link did not do what was asked of it: ${megabytes(facts.achievedBytesPerSecond)} instead of ${megabytes(facts.askedBytesPerSecond)}, ${milliseconds(facts.achievedLatencyMs)} to the first byte instead of ${milliseconds(facts.askedLatencyMs)}; at most 5 % off was expected.`,
    remedy: () =>
      'Let the machine do nothing else and measure again, or set `bench.link` to what this machine can keep.',
  }),
  'bench-link-unknown': defineMessage<{ name: string; nearest: string | null; known: readonly string[] }>({
    exit: 2,
    what: (facts) =>
      `The link ${facts.name} is not known.${facts.nearest === null ? '' : ` Did you mean ${facts.nearest}?`}`,
    remedy: (facts) =>
      `Set \`bench.link\` to ${facts.known.join(', ')}, \`real\`, or to the link's own figures.`,
  }),
  'bench-disk-unknown': defineMessage<{ name: string; nearest: string | null; known: readonly string[] }>({
    exit: 2,
    what: (facts) =>
      `The disk ${facts.name} is not known.${facts.nearest === null ? '' : ` Did you mean ${facts.nearest}?`}`,
    remedy: (facts) => `Set \`bench.disk\` to ${facts.known.join(', ')}, or to the disk's own figures.`,
  }),
  'bench-disk-not-enforced': defineMessage<{ askedBytesPerSecond: number; folder: string; reason: string }>({
    exit: 0,
    what: (facts) =>
      `Reads of ${facts.folder} were not held to ${mebibytes(facts.askedBytesPerSecond)}: ${facts.reason}. Figures are for this machine's disk as it is.`,
    remedy: () =>
      'Run as a user who may write to the block controller of control groups (root, with `/sys/fs/cgroup` mounted for writing), or leave `bench.disk` out.',
  }),
};
