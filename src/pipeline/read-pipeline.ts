import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { OptimiseModelError } from '../messages/error.js';
import type { PipelineProblem } from '../messages/pipeline-messages.js';
import { type PipelineOverrides, resolveStore } from './apply-overrides.js';
import type { PipelineContent } from './pipeline-schema.js';

/** A pipeline that is ready to run: defaults filled in, paths absolute. */
export type Pipeline = Omit<PipelineContent, 'output' | 'publish' | 'stage'> & {
  /** The file it came from. */
  readonly path: string;
  /** Absolute run folder. */
  readonly output: string;
  readonly publish: { readonly to: 'current'; readonly unconditional: boolean } | null;
  readonly stage: PipelineContent['stage'] & { readonly to: string };
};

/**
 * Reads a pipeline file, fills in defaults and makes every path absolute.
 *
 * @param path - The YAML file.
 * @param overrides - What flags and environment variables say instead.
 * @param folder - The current folder, for paths in overrides and the default run folder.
 * @returns The pipeline.
 * @throws pipeline-not-found, pipeline-is-no-text, and pipeline-invalid with all problems, each with line, column and
 *   suggestion.
 */
export async function readPipeline(
  path: string,
  overrides: PipelineOverrides = {},
  folder = process.cwd(),
): Promise<Pipeline> {
  const text = await readText(path);
  // A fifth of a second to import, and only needed here.
  const { parsePipeline } = await import('./parse-pipeline.js');
  const content = await parsePipeline(text, path, overrides, folder);
  const pipeline = resolvePaths(content, path, folder);
  const problems = findContradictions(pipeline);
  if (problems.length > 0) throw OptimiseModelError.of('pipeline-invalid', { path, problems });
  return pipeline;
}

async function readText(path: string): Promise<string> {
  try {
    // A pipe has no end, and a folder no text.
    if (!(await stat(path)).isFile()) throw new Error('it is no regular file');
    return await readFile(path, 'utf8');
  } catch (error) {
    throw OptimiseModelError.of('pipeline-not-found', { path, known: [] }, error);
  }
}

function findContradictions({ bench, output, stage }: Pipeline): readonly PipelineProblem[] {
  const isMountMissing = bench.deliveries.includes('mount') && bench.mount === undefined;
  const isInStore = `${output}/`.startsWith(`${stage.to}/`);
  return [
    ...findTwice(bench.deliveries).map((delivery) =>
      describe('bench.deliveries', `\`bench.deliveries\` names ${delivery} more than once`),
    ),
    ...(isMountMissing
      ? [
          describe(
            'bench.mount',
            '`bench.deliveries` names mount; say where the store is mounted: `bench.mount.folder`',
          ),
        ]
      : []),
    ...(isInStore
      ? [describe('output', `the run folder ${output} is inside the store ${stage.to}; name another`)]
      : []),
  ];
}

function resolveMount(bench: PipelineContent['bench'], beside: string): PipelineContent['bench'] {
  const { mount } = bench;
  return mount === undefined
    ? bench
    : { ...bench, mount: { ...mount, folder: resolve(beside, mount.folder) } };
}

function findTwice(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

function describe(path: string, problem: string): PipelineProblem {
  return { path, line: null, column: null, problem, suggestion: null };
}

function resolvePaths(content: PipelineContent, path: string, folder: string): Pipeline {
  const beside = dirname(resolve(path));
  const artifacts = join(folder, 'artifacts');
  const given = content.output === undefined ? undefined : resolve(beside, content.output);
  const to = content.stage.to ?? join(given ?? artifacts, 'store');
  const inputs = Object.entries(content.inputs).map(([name, spec]) => [
    name,
    spec.file === undefined ? spec : { ...spec, file: resolve(beside, spec.file) },
  ]);
  return {
    ...content,
    path: resolve(path),
    model: resolve(beside, content.model),
    inputs: Object.fromEntries(inputs),
    stage: { ...content.stage, to: resolveStore(beside, to) },
    bench: resolveMount(content.bench, beside),
    publish: content.publish ?? null,
    output: given ?? join(artifacts, content.name),
  };
}
