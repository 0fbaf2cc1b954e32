/** A function under the emulator: how to call it, what it and the emulator printed, and how to end it. */
export type RunningFunction = {
  readonly invoke: (event: object) => Promise<string>;
  readonly readLog: () => string;
  readonly stop: () => Promise<void>;
};

/** AWS's runtime interface emulator: the real Runtime API around any command, without a container. */
export const lambdaRie: {
  readonly name: string;
  readonly find: () => Promise<string | undefined>;
  readonly install: () => Promise<string>;
  readonly whyNot: () => Promise<string | undefined>;
  readonly start: (code: {
    readonly folder: string;
    readonly handler: string;
    readonly environment: Readonly<Record<string, string>>;
  }) => Promise<RunningFunction>;
};
