import { OptimiseModelError } from '../messages/error.js';
import type { BenchOptions } from './bench-options.js';
import type { LinkModel } from './link/link-model.js';

/** Less memory than Node.js with the engine's library takes measures nothing but that; Lambda has no more than the latter. */
const memoryBounds = { least: 128, most: 10_240 };

/**
 * Refuses numbers with which nothing sensible can be measured.
 *
 * @param options - What the benchmark was asked.
 * @throws `bench-options-wrong` for the first that is wrong.
 */
export function checkBenchOptions(options: BenchOptions): void {
  const needsOpenvino = options.targets.some(({ variant }) => variant.engine === 'openvino');
  if (needsOpenvino && options.openvino === null) refuse('openvino', 'null', 'the OpenVINO to measure');
  checkWhole('runs', options.runs, 1);
  checkWhole('mostRuns', options.mostRuns, options.runs);
  checkWhole('warm', options.warm, 0);
  if (options.targetWidth !== null) checkPositive('targetWidth', options.targetWidth);
  if (options.threads !== null) checkWhole('threads', options.threads, 1);
  if (options.timeoutMs !== undefined) checkPositive('timeoutSeconds', options.timeoutMs / 1000);
  for (const memoryMiB of options.memoryMiB) {
    checkWhole('memoryMiB', memoryMiB, memoryBounds.least);
    if (memoryMiB > memoryBounds.most) refuse('memoryMiB', memoryMiB, `at most ${memoryBounds.most}`);
  }
  checkLink('link', options.link);
  if (options.hub.link !== null) checkLink('hub.link', options.hub.link);
  if (options.disk !== null) checkPositive('disk.mbPerSecond', options.disk.bytesPerSecond);
  for (const [delivery, stated] of Object.entries(options.environment))
    checkNotNegative(`environment.${delivery}.ms`, stated.ms);
}

function checkLink(name: string, link: LinkModel | 'direct'): void {
  if (link === 'direct') return;
  const { latencyMs, jitterMs, bytesPerSecond, perConnectionBytesPerSecond } = link;
  checkNotNegative(`${name}.latencyMs`, latencyMs);
  checkNotNegative(`${name}.jitterMs`, jitterMs);
  if (jitterMs > latencyMs) refuse(`${name}.jitterMs`, jitterMs, `at most latencyMs, ${latencyMs}`);
  checkPositive(`${name}.mbPerSecond`, bytesPerSecond);
  if (perConnectionBytesPerSecond !== null) {
    checkPositive(`${name}.perConnectionMbPerSecond`, perConnectionBytesPerSecond);
  }
}

function checkWhole(option: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) refuse(option, value, `an integer of at least ${least}`);
}

function checkPositive(option: string, value: number): void {
  if (!Number.isFinite(value) || value <= 0) refuse(option, value, 'a number greater than 0');
}

function checkNotNegative(option: string, value: number): void {
  if (!Number.isFinite(value) || value < 0) refuse(option, value, 'a number of at least 0');
}

function refuse(option: string, value: number | string, expected: string): never {
  throw OptimiseModelError.of('bench-options-wrong', { option, seen: String(value), expected });
}
