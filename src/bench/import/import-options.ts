/** What {@link importLambdaRuns} reads, and how strictly. */
export type ImportOptions = {
  /** Exports of CloudWatch Logs and X-Ray, in any mixture; `.gz` is unpacked. */
  readonly files: readonly string[];
  /** Function that records without a name of their own belong to; null when each says its own. */
  readonly functionName: string | null;
  /** Leaves out invocations that lack a field, and says how many, where otherwise that is an error. */
  readonly skipIncomplete: boolean;
};

/** Where a record stands: file, and line or record in it, from 1. */
export type RecordPlace = { readonly file: string; readonly record: number };
