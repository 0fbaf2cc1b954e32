import { cpus } from 'node:os';
import { readInstructionSets } from './instruction-sets.js';

/** The processor that numbers come from and that OpenVINO compiles for. */
export type Processor = {
  readonly model: string;
  /** As `process.arch` names it. */
  readonly architecture: string;
  /** Those that OpenVINO has kernels for, sorted. */
  readonly instructionSets: readonly string[];
};

const decisiveSets =
  /^(?:sse4_2|avx|avx2|fma|f16c|avx512\w*|avx_vnni\w*|amx\w*|asimd\w*|fphp|bf16|i8mm|sve\w*)$/;

/**
 * Describes the processor of this machine by what decides how OpenVINO computes on it. What else a kernel lists of it, and
 * what differs from boot to boot, is no part of it.
 *
 * @returns Model, architecture and instruction sets; no sets where the system does not say them.
 */
export function describeProcessor(): Processor {
  return {
    model: cpus()[0]?.model.trim() || 'unknown',
    architecture: process.arch,
    instructionSets: (readInstructionSets() ?? []).filter((each) => decisiveSets.test(each)).sort(),
  };
}
