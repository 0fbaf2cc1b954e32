// What a measurement was made on.
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, platform, release, totalmem } from 'node:os';

/**
 * Describes the machine and this project.
 * @returns {object} Names and figures to print beside a measurement.
 */
export function describeMachine() {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return {
    toolVersion: version,
    node: process.version,
    platform: `${platform()} ${release()} ${process.arch}`,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
  };
}

/**
 * Puts what {@link describeMachine} found into one line.
 * @param {ReturnType<typeof describeMachine>} machine - It.
 * @returns {string} The line.
 */
export function machineLine(machine) {
  const { toolVersion, node, platform: system, cpu, cores } = machine;
  return `optimise-model ${toolVersion}, Node ${node}, ${system}, ${cores} × ${cpu}`;
}
