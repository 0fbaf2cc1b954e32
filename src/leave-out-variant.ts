import type { ConvertResult } from './convert/convert-options.js';
import type { OpenvinoHere } from './look-for-openvino.js';
import type { FactsOf, MessageCode } from './messages/catalogue.js';
import { OptimiseModelError } from './messages/error.js';
import { type Finding, makeFinding } from './messages/finding.js';
import type { RunRecord } from './pipeline/run-record.js';
import type { Step, StepOutcome } from './pipeline/step.js';

/** A variant that cannot be made on this machine or of this model, while others can; plain JSON data. */
export type LeftOutVariant = {
  readonly variantId: string;
  readonly code: MessageCode;
  readonly facts: Readonly<Record<string, unknown>>;
  /** What happened. */
  readonly reason: string;
  /** What to do about it. */
  readonly remedy: string;
};

/** What is recorded of a conversion: what was made, or why nothing was. */
export type ConversionOutput = ConvertResult | { readonly leftOut: LeftOutVariant };

/** What says that OpenVINO cannot do it, and nothing about the model in general or what was asked for; in a few words. */
const reasons: Readonly<Partial<Record<MessageCode, string>>> = {
  'runtime-missing': 'OpenVINO is not installed here',
  'runtime-unusable': 'the OpenVINO that is installed here cannot be used',
  'ovc-missing': 'the OpenVINO that is installed here came without its converter',
  'openvino-refused-model': 'OpenVINO cannot read the model',
  'inference-not-available': 'the processor cannot compute in what was asked for',
  'processor-unknown': 'the processor is not known',
  // It or its converter died, or did not end: with this model, or on this machine.
  'ovc-failed': 'the converter of OpenVINO failed',
  'runtime-crashed': 'OpenVINO died of it',
  'runtime-late': 'OpenVINO did not end with it',
};

/** Says as much about the model as about OpenVINO: trying again gives it again, and takes its time. */
const lastingReasons: readonly string[] = ['openvino-refused-model'];

/**
 * Tells whether an error is a reason to go on without a variant.
 *
 * @param error - What making a variant for OpenVINO, or looking for OpenVINO, threw.
 * @returns True when other variants can be made all the same.
 */
export function isReasonToLeaveOut(error: unknown): error is OptimiseModelError {
  return error instanceof OptimiseModelError && Object.hasOwn(reasons, error.code);
}

/**
 * Makes a conversion for OpenVINO one that a run goes on without.
 *
 * @param step - The conversion.
 * @param engine - The version of OpenVINO that is here, or why there is none: then nothing is tried.
 * @param isNeeded - Whether the run may not go on without it because of this machine: then it throws.
 * @returns The step; its outcome is `no` when the variant is left out. That is tried again in each run, unless the model
 *   itself was refused: that stays so until the model or OpenVINO is another.
 */
export function allowLeavingOut(
  step: Step<ConvertResult>,
  engine: Pick<OpenvinoHere, 'version' | 'missing'>,
  isNeeded: boolean,
): Step<ConversionOutput> {
  return {
    verb: step.verb,
    subject: step.subject,
    key: { conversion: step.key, engineVersion: engine.version },
    ensures: async (output, context) =>
      'leftOut' in output
        ? lastingReasons.includes(output.leftOut.code)
        : (step.ensures(output, context) as Promise<boolean | StepOutcome<ConversionOutput>>),
    call: async (context): Promise<StepOutcome<ConversionOutput>> => {
      // Of all its variants, and told once.
      if (engine.missing !== null) {
        if (isNeeded) throw engine.missing;
        return leaveOut(step.subject, engine.missing, 'OpenVINO cannot be used here');
      }
      return step.call(context).catch((error: unknown) => {
        if (!isReasonToLeaveOut(error) || (isNeeded && isOfMachine(error))) throw error;
        return leaveOut(step.subject, error, error.message);
      });
    },
  };
}

/** What there is to say of it is said once for all variants, by {@link explainLeftOut}. */
function leaveOut(variantId: string, error: OptimiseModelError, line: string): StepOutcome<ConversionOutput> {
  const { code, facts, message: reason, remedy } = error;
  const output = { leftOut: { variantId, code, facts, reason, remedy } };
  return { output, line: `left out: ${line}`, findings: [], verdict: 'no' };
}

/**
 * Says which variants a run went on without: once per reason, not per variant.
 *
 * @param leftOut - The variants.
 * @returns A warning per reason, with what to do about it.
 */
export function explainLeftOut(leftOut: readonly LeftOutVariant[]): readonly Finding[] {
  const kinds = [...new Set(leftOut.map(({ reason }) => reason))];
  return kinds.flatMap((kind) => {
    const group = leftOut.filter(({ reason }) => reason === kind);
    const [first] = group;
    if (first === undefined) return [];
    const { code, reason, remedy } = first;
    const variants = group.map(({ variantId }) => variantId);
    return [makeFinding('warning', 'variants-left-out', { variants, code, reason, remedy })];
  });
}

/**
 * Says in a few words why a variant was left out; a finding of the run has the whole story.
 *
 * @param leftOut - The variant.
 * @returns One clause.
 */
export function shortenReason({ code, reason }: LeftOutVariant): string {
  return reasons[code] ?? reason;
}

/**
 * Tells whether a variant was left out because of this machine: another one makes it of the same model.
 *
 * @param leftOut - Why it was left out.
 * @returns False where the model itself was refused.
 */
export function isOfMachine({ code }: Pick<LeftOutVariant, 'code'>): boolean {
  return !lastingReasons.includes(code);
}

/**
 * Lists the variants for OpenVINO that a run has made: going on with it may not throw them away.
 *
 * @param record - Its record.
 * @returns Their ids, as they were asked for.
 */
export function listMadeForOpenvino({ steps }: Pick<RunRecord, 'steps'>): readonly string[] {
  return steps.flatMap(({ verb, subject, output }) => {
    if (verb !== 'convert') return [];
    // The record holds what the very same step returned.
    const made = output as unknown as ConversionOutput;
    return 'variant' in made && made.variant.engine === 'openvino' ? [subject] : [];
  });
}

/**
 * Makes the error of a run that has no variant left.
 *
 * @param leftOut - One that was left out.
 * @returns The error by which it was.
 */
export function refuseNothingLeft({ code, facts }: LeftOutVariant): OptimiseModelError {
  return OptimiseModelError.of(code, facts as FactsOf<MessageCode>);
}
