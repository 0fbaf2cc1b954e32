import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { OptimiseModelError } from '../messages/error.js';

/**
 * Finds the pipeline file that a word on the command line means.
 *
 * @param named - A path (it has a slash or ends in .yaml, .yml or .onnx), a name in `pipelines/`, or nothing when there is
 *   only one.
 * @param folder - The current folder.
 * @returns Absolute path of the file.
 * @throws pipeline-not-found, pipeline-not-named.
 */
export async function findPipelineFile(named: string | undefined, folder: string): Promise<string> {
  const known = await listPipelines(join(folder, 'pipelines'));
  if (named === undefined) {
    const [only] = known;
    if (only === undefined || known.length > 1) {
      throw OptimiseModelError.of('pipeline-not-named', { known, folder: join(folder, 'pipelines') });
    }
    return join(folder, 'pipelines', `${only}.yaml`);
  }
  const isPath = named.includes('/') || ['.yaml', '.yml', '.onnx'].includes(extname(named));
  const path = isPath ? resolve(folder, named) : join(folder, 'pipelines', `${named}.yaml`);
  if (!existsSync(path)) throw OptimiseModelError.of('pipeline-not-found', { path, known });
  return path;
}

async function listPipelines(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return [];
  const names = await readdir(folder);
  return names.filter((name) => name.endsWith('.yaml')).map((name) => basename(name, '.yaml'));
}
