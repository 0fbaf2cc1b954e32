import { availableParallelism, cpus, totalmem } from 'node:os';

/** The machine that measured. */
export type Machine = {
  readonly cpuModel: string;
  /** Processors that this process may use. */
  readonly cores: number;
  readonly memoryBytes: number;
  /** Node's version, without `v`. */
  readonly node: string;
  /** Such as `linux/x64`. */
  readonly platform: string;
};

/**
 * Describes this machine, as figures of another one are not comparable.
 *
 * @returns Processor, memory and Node.
 */
export function describeMachine(): Machine {
  return {
    cpuModel: cpus()[0]?.model.trim() || 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    node: process.versions.node,
    platform: `${process.platform}/${process.arch}`,
  };
}
