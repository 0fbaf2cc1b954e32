import { readFileSync } from 'node:fs';

/**
 * Lists what processors can do.
 *
 * @param cpuinfo - The text of `/proc/cpuinfo`.
 * @returns The instruction sets of the first processor as Linux names them, such as `avx2` and `avx512_bf16`; undefined
 *   where the text names none.
 * @see https://man7.org/linux/man-pages/man5/proc_cpuinfo.5.html `flags` on x64, `Features` on arm64
 */
export function parseInstructionSets(cpuinfo: string): readonly string[] | undefined {
  return /^(?:flags|Features)[\t ]*:[\t ]*(\S.*)$/m.exec(cpuinfo)?.[1]?.trim().split(/\s+/);
}

/**
 * Lists what the processors of this machine can do.
 *
 * @returns As {@link parseInstructionSets}; undefined where the system does not say it, as outside Linux.
 */
export function readInstructionSets(): readonly string[] | undefined {
  try {
    return parseInstructionSets(readFileSync('/proc/cpuinfo', 'utf8'));
  } catch {
    return undefined;
  }
}
