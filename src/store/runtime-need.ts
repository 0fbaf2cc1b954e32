import { type Engine, engines } from '../lib/variant.js';
import type { Fields, RecordReader } from './record-fields.js';

/** What of an artifact binds it to where it was made: it may fail, or be slow, anywhere else. */
export const bindingKinds = ['compiled-blob', 'layout-optimised-graph', 'prepacked-weights'] as const;

/** What an artifact is bound to by what it is. */
export type RuntimeBinding = {
  readonly kind: (typeof bindingKinds)[number];
  /** The only version of the engine that opens it; null for any that meets the need. */
  readonly engineVersion: string | null;
  /** Instruction sets that the processor must have, as Linux names them, sorted: `avx2`, `avx512_bf16`. */
  readonly instructionSets: readonly string[];
};

/** What a machine needs to open an artifact. */
export type RuntimeNeed = {
  readonly engine: Engine;
  /** Lowest version of the engine that opens it. */
  readonly minimumVersion: string;
  /** Highest opset of the default domain. */
  readonly opset: number;
  readonly irVersion: number;
  /** `any`, or the processor that it is made for, as `process.arch` names it: `x64`, `arm64`. */
  readonly architecture: string;
  /** Null for what runs wherever the rest is met. */
  readonly boundTo: RuntimeBinding | null;
  /** What inputs and outputs are called, where the files may have other names for them too; null where they say it. */
  readonly names: { readonly inputs: readonly string[]; readonly outputs: readonly string[] } | null;
};

/**
 * Checks what an artifact record says that a machine needs.
 *
 * @param need - The record's fields.
 * @param reader - Refuses the document it is part of.
 * @returns The need.
 * @throws `record-wrong` naming the first field that is wrong.
 */
export function checkNeed(need: Fields, reader: RecordReader): RuntimeNeed {
  return {
    engine: reader.choice(need.engine, '`requires.engine`', engines),
    minimumVersion: reader.text(need.minimumVersion, '`requires.minimumVersion`'),
    opset: reader.count(need.opset, '`requires.opset`'),
    irVersion: reader.count(need.irVersion, '`requires.irVersion`'),
    // Records of 0.1 have none of these; all that was made then runs anywhere, and says its names itself.
    architecture: reader.text(need.architecture ?? 'any', '`requires.architecture`'),
    boundTo:
      need.boundTo == null ? null : checkBinding(reader.fields(need.boundTo, '`requires.boundTo`'), reader),
    names: need.names == null ? null : checkNames(reader.fields(need.names, '`requires.names`'), reader),
  };
}

function checkBinding(bound: Fields, reader: RecordReader): RuntimeBinding {
  const { kind, engineVersion, instructionSets } = bound;
  return {
    kind: reader.choice(kind, '`requires.boundTo.kind`', bindingKinds),
    engineVersion:
      engineVersion === null ? null : reader.text(engineVersion, '`requires.boundTo.engineVersion`'),
    instructionSets: readTexts(instructionSets, '`requires.boundTo.instructionSets`', reader),
  };
}

function checkNames({ inputs, outputs }: Fields, reader: RecordReader): NonNullable<RuntimeNeed['names']> {
  return {
    inputs: readTexts(inputs, '`requires.names.inputs`', reader),
    outputs: readTexts(outputs, '`requires.names.outputs`', reader),
  };
}

function readTexts(value: unknown, name: string, reader: RecordReader): readonly string[] {
  return reader.list(value, name).map((item) => reader.text(item, `an item of ${name}`));
}
