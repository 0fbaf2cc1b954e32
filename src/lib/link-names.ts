/** Links that have a name; src/bench/link/link-presets.ts says what each of them is. */
export const linkNames = [
  'lambda-s3',
  'lambda-s3-slow',
  'lambda-s3-express',
  's3-copy-gpu-host',
  'hub',
] as const;
/** One of {@link linkNames}. */
export type LinkName = (typeof linkNames)[number];
