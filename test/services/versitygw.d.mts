/** A running S3 server: where it is, whom it lets in, the folder it serves, and how to end it. */
export type RunningS3 = {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly folder: string;
  readonly stop: () => Promise<void>;
};

/** versitygw, an S3 gateway over a folder: the real server that the tests speak to. */
export const versitygw: {
  readonly name: string;
  readonly find: () => Promise<string | undefined>;
  readonly install: () => Promise<string>;
  readonly start: () => Promise<RunningS3>;
  readonly whyNot: () => Promise<string | undefined>;
};
