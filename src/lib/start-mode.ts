/** How the platform starts a process: for a call, from a snapshot, or ahead of all calls. */
export const startModes = ['on-demand', 'snapstart', 'provisioned'] as const;
/** One of {@link startModes}. */
export type StartMode = (typeof startModes)[number];
