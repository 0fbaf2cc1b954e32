import { readFileSync } from 'node:fs';
import type { InputSpec } from '../inputs/input-spec.js';
import type { JsonValue } from '../lib/json.js';
import type { Processor } from '../lib/processor.js';
import { hashBytes } from '../lib/sha256.js';
import type { Step } from '../pipeline/step.js';
import type { ParityResult } from './parity-result.js';
import { type ParityOptions, type SharedReference, validateParity } from './validate-parity.js';

/** What a step needs to know beyond the verb's options. */
export type ValidateStepOptions = ParityOptions & {
  /** The variant, such as `fp16-weights.external`. */
  readonly subject: string;
  /** SHA-256 of the reference model, hexadecimal. */
  readonly referenceSha256: string;
  /** The candidate artifact's digest. */
  readonly candidateDigest: string;
  /** Version of an engine that the run as a whole does not rest on, and where it computes; null for onnxruntime. */
  readonly ground: { readonly version: string | null; readonly processor: Processor } | null;
};

/**
 * Makes comparing one variant with its source a step of a run.
 *
 * @param options - The pair, with what identifies both.
 * @param shared - Keeps what the reference gave, for all variants of the run.
 * @returns The step; its result is data alone, so that nothing on disk has to be there for it to be reused.
 */
export function validateStep(options: ValidateStepOptions, shared?: SharedReference): Step<ParityResult> {
  const { subject, referenceSha256, candidateDigest, ground, ...parity } = options;
  return {
    verb: 'validate',
    subject,
    key: {
      judgement: 'discriminating',
      referenceSha256,
      candidateDigest,
      inputs: Object.fromEntries(Object.entries(parity.inputs).map(([name, spec]) => [name, keyOf(spec)])),
      bounds: { ...parity.bounds },
      // It computes in other ways on each kind of processor, and in less than FP32 on some alone.
      ...(ground === null ? {} : { engineVersion: ground.version, processor: ground.processor }),
      threads: parity.threads ?? 1,
    },
    // What was killed for want of memory may run now, and on a processor that can compute in what was asked for.
    ensures: async ({ findings }) =>
      !findings.some(({ code, facts }) => facts.isKilled === true || code === 'parity-inference-not-used'),
    call: async (context) => {
      const output = await validateParity(parity, context, shared);
      return {
        output,
        line: describeResult(output),
        findings: output.findings,
        verdict: stepVerdicts[output.verdict],
      };
    },
  };
}

const stepVerdicts = { pass: 'ok', fail: 'no', partial: 'partly', inconclusive: 'partly' } as const;

function describeResult({ verdict, reason }: ParityResult): string {
  const line = reason.replace(/\.$/, '');
  return verdict === 'pass' ? line : `${verdict}: ${line}`;
}

/** A file counts by its content: the same name can hold other elements tomorrow. */
function keyOf(spec: InputSpec): JsonValue {
  const { file, shape, ...rest } = spec;
  return {
    ...rest,
    ...(shape === undefined ? {} : { shape: [...shape] }),
    ...(file === undefined ? {} : { fileSha256: hashIfThere(file) }),
  };
}

function hashIfThere(path: string): string | null {
  try {
    return hashBytes(readFileSync(path));
  } catch {
    // What is missing is said by the step itself, in words.
    return null;
  }
}
