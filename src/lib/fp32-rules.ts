/** Nodes or a value that the user wants in FP32: all of an operator, one by its name, or the one that gives a value. */
export type KeepRule = { readonly kind: 'op' | 'node' | 'output'; readonly name: string };

/** How a {@link KeepRule} is written in a flag and in the pipeline file. */
export const keepRulePattern = /^(op|node|output):(.+)$/s;

/** What `--without-rule` can switch off: reasons for which nodes and weights stay FP32 although FP16 is allowed. */
export const fp32Rules = [
  'integer-values',
  'ranges',
  'beyond-fp16',
  'small-numbers',
  'growing-sums',
  'quantisation',
  'generators',
  'missing-kernels',
] as const;

/** A reason for which FP32 is kept that can be switched off. */
export type Fp32Rule = (typeof fp32Rules)[number];

/**
 * Reads a rule that keeps FP32.
 *
 * @param text - `op:TYPE`, `node:NAME` or `output:NAME`.
 * @returns The rule; undefined for any other text.
 */
export function parseKeepRule(text: string): KeepRule | undefined {
  const [, kind, name] = keepRulePattern.exec(text) ?? [];
  return kind === undefined || name === undefined ? undefined : { kind: kind as KeepRule['kind'], name };
}
