import type { Pipeline } from '../api/run.js';
import type { CommandOutcome } from './run-command.js';

/**
 * Shows a pipeline as it would be run.
 *
 * @param pipeline - With defaults filled in and paths absolute.
 * @returns The outcome of a dry run.
 */
export async function printResolvedPipeline(pipeline: Pipeline): Promise<CommandOutcome> {
  const { printYaml } = await import('../api/run.js');
  const text = (await printYaml(pipeline)).trimEnd();
  return { status: 'ok', result: { pipeline }, findings: [], text };
}
