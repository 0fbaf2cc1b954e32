import {
  type Engine,
  type Fp32Rule,
  type InferencePrecision,
  type KeepRule,
  type Layout,
  type Precision,
  usualLayout,
} from '../api/choices.js';
import type { ConvertOptions } from '../api/convert.js';
import { OptimiseModelError } from '../messages/error.js';
import type { IoFlag } from './parse-convert-option.js';

/** What `convert` is told on the command line. */
export type ConvertFlags = {
  readonly precision: Precision;
  readonly layout?: Layout;
  readonly engine: Engine;
  readonly inference: InferencePrecision;
  readonly out: string;
  readonly minWeightBytes: number;
  readonly maxWeightError: number;
  readonly io?: IoFlag;
  readonly keepFp32?: readonly KeepRule[];
  readonly withoutRule?: readonly Fp32Rule[];
  readonly loadCheck: boolean;
  readonly report?: true;
};

/** What decides about single weights and nodes, none of which OpenVINO's converter asks about. */
const onnxFlags = {
  minWeightBytes: '--min-weight-bytes',
  maxWeightError: '--max-weight-error',
  io: '--io',
  keepFp32: '--keep-fp32',
  withoutRule: '--without-rule',
} as const;

/**
 * Makes the options of a conversion of what the command line says.
 *
 * @param model - The model.
 * @param flags - As they were parsed.
 * @param sourceOf - Where the value of a flag is from, as commander tells it.
 * @returns All options.
 * @throws `usage-wrong` for a flag that decides nothing with this layout.
 */
export function readConvertFlags(
  model: string,
  flags: ConvertFlags,
  sourceOf: (name: string) => string | undefined,
): ConvertOptions {
  const { precision, engine, inference, out, minWeightBytes, maxWeightError, loadCheck } = flags;
  const { layout = usualLayout(engine), io = 'fp32', keepFp32 = [], withoutRule: withoutRules = [] } = flags;
  if (layout === 'ir' || layout === 'blob') {
    const idle = Object.entries(onnxFlags).filter(([name]) => sourceOf(name) === 'cli');
    const named = idle.map(([, flag]) => flag).join(', ');
    if (named !== '') refuse(`With ${layout} nothing is decided by ${named}.`);
  }
  return {
    ...{ model, out, precision, layout, engine, inference, minWeightBytes, maxWeightError, io },
    ...{ keepFp32, withoutRules, loadCheck, sourceSha256: null },
  };
}

function refuse(problem: string): never {
  throw OptimiseModelError.of('usage-wrong', { problem, command: 'optimise-model convert' });
}
