/** One file and what it takes unpacked: its apparent size, holes and hard links counted in full. */
export type MeasuredFile = {
  /** How it is named in results, with `/`. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Where its bytes can be read; `path` itself when absent. */
  readonly sourcePath?: string;
};

/**
 * Adds sizes up.
 *
 * @param files - Files, each counted as often as it is listed.
 * @returns Bytes.
 */
export function sumFileBytes(files: readonly MeasuredFile[]): number {
  return files.reduce((sum, file) => sum + file.sizeBytes, 0);
}
