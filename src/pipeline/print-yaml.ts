import { stringify } from 'yaml';
import type { Pipeline } from './read-pipeline.js';

/**
 * Prints a pipeline as it would be run.
 *
 * @param pipeline - With defaults filled in and paths absolute.
 * @returns YAML text, every key of the file in it.
 */
export function printYaml(pipeline: Pipeline): string {
  const { path: _path, publish, ...content } = pipeline;
  return stringify(
    { ...content, ...(publish === null ? {} : { publish }) },
    { aliasDuplicateObjects: false },
  );
}
