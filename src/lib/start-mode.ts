/** How the platform starts a process: for a call, from a snapshot, or ahead of all calls. */
export const startModes = ['on-demand', 'snapstart', 'provisioned'] as const;
/** One of {@link startModes}. */
export type StartMode = (typeof startModes)[number];

/** What is said of a start mode beside a delivery, with its space; on demand is what is meant where nothing is said. */
export const startPhrases: Readonly<Record<StartMode, string>> = {
  'on-demand': '',
  snapstart: ' with SnapStart',
  provisioned: ' with provisioned concurrency',
};
