import { defineMessage } from './message.js';

const sayMiB = (memoryMiB: number | null) => (memoryMiB === null ? 'the whole machine' : `${memoryMiB} MiB`);

/** What a choice compares, and what it leaves aside. */
export const pickScopeMessages = {
  'pick-other-memories': defineMessage<{
    memoryMiB: number | null;
    othersMiB: readonly (number | null)[];
  }>({
    exit: 1,
    what: ({ memoryMiB, othersMiB }) =>
      `Chosen at ${sayMiB(memoryMiB)}; measured at ${othersMiB.map(sayMiB).join(', ')} as well, which was not compared.`,
    remedy: ({ othersMiB }) => {
      const other = othersMiB.find((each) => each !== null);
      return other === undefined
        ? 'Leave `bench.memoryMiB` out of the pipeline to choose by the whole machine.'
        : `Ask \`optimise-model pick --memory-mib ${other}\`, or put it first in \`bench.memoryMiB\` of the pipeline to ship it.`;
    },
  }),
  'pick-memory-not-measured': defineMessage<{
    memoryMiB: number;
    measuredMiB: readonly (number | null)[];
  }>({
    exit: 2,
    what: ({ memoryMiB, measuredMiB }) =>
      `Nothing was measured at ${sayMiB(memoryMiB)}, only at ${measuredMiB.map(sayMiB).join(', ')}.`,
    remedy: ({ memoryMiB, measuredMiB }) => {
      const known = measuredMiB.filter((each) => each !== null).map((each) => `\`--memory-mib ${each}\``);
      const measure = `measure it with \`optimise-model bench --memory-mib ${memoryMiB}\``;
      return known.length === 0
        ? `Leave it out, or ${measure}.`
        : `Give ${known.join(' or ')}, or ${measure}.`;
    },
  }),
  'pick-starts-by-time': defineMessage<{ objective: string; startModes: readonly string[] }>({
    exit: 1,
    what: ({ objective, startModes }) =>
      `${startModes.join(', ')} cost differently and are compared by ${objective} alone: a process that is kept ready always wins by time.`,
    remedy: () =>
      'Count costPer100k as well (`--weights total=0.7,cost-per-100k=0.3`, `pick.objective.weights`, with `pick.traffic` stated), or choose among one start mode (`--start-modes on-demand`).',
  }),
};
