import { type Pipeline, printYaml } from '../index.js';
import type { CommandOutcome } from './run-command.js';

/**
 * Shows a pipeline as it would be run.
 *
 * @param pipeline - With defaults filled in and paths absolute.
 * @returns The outcome of a dry run.
 */
export function printResolvedPipeline(pipeline: Pipeline): CommandOutcome {
  return { status: 'ok', result: { pipeline }, findings: [], text: printYaml(pipeline).trimEnd() };
}
