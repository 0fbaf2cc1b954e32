import type { Pipeline } from './read-pipeline.js';

/**
 * Prints a pipeline as it would be run.
 *
 * @param pipeline - With defaults filled in and paths absolute.
 * @returns YAML text, every key of the file in it.
 */
export async function printYaml(pipeline: Pipeline): Promise<string> {
  const { stringify } = await import('yaml');
  const { path: _path, publish, ...content } = pipeline;
  return stringify(
    { ...content, ...(publish === null ? {} : { publish }) },
    { aliasDuplicateObjects: false },
  );
}
