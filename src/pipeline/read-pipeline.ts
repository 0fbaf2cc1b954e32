import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { OptimiseModelError } from '../messages/error.js';
import type { PipelineProblem } from '../messages/pipeline-messages.js';
import type { PipelineContent } from './pipeline-schema.js';

/** Settings that a flag or an environment variable gives instead of the file; paths relative to the current folder. */
export type PipelineOverrides = {
  readonly model?: string;
  readonly to?: string;
  readonly output?: string;
  readonly runs?: number;
  readonly warm?: number;
  readonly threads?: number;
  readonly objective?: string;
};

/** A pipeline that is ready to run: defaults filled in, paths absolute. */
export type Pipeline = Omit<PipelineContent, 'output' | 'publish' | 'stage'> & {
  /** The file it came from. */
  readonly path: string;
  /** Absolute run folder. */
  readonly output: string;
  readonly publish: { readonly to: 'current' } | null;
  readonly stage: PipelineContent['stage'] & { readonly to: string };
};

/**
 * Finds the pipeline file that a word on the command line means.
 *
 * @param named - A path (it has a slash or ends in .yaml or .yml), a name in `pipelines/`, or nothing when there is
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
  const isPath = named.includes('/') || ['.yaml', '.yml'].includes(extname(named));
  const path = isPath ? resolve(folder, named) : join(folder, 'pipelines', `${named}.yaml`);
  if (!existsSync(path)) throw OptimiseModelError.of('pipeline-not-found', { path, known });
  return path;
}

async function listPipelines(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return [];
  const names = await readdir(folder);
  return names.filter((name) => name.endsWith('.yaml')).map((name) => basename(name, '.yaml'));
}

/**
 * Reads a pipeline file, fills in defaults and makes every path absolute.
 *
 * @param path - The YAML file.
 * @param overrides - What flags and environment variables say instead.
 * @param folder - The current folder, for paths in overrides and the default run folder.
 * @returns The pipeline.
 * @throws pipeline-not-found, and pipeline-invalid with all problems, each with line, column and suggestion.
 */
export async function readPipeline(
  path: string,
  overrides: PipelineOverrides = {},
  folder = process.cwd(),
): Promise<Pipeline> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw OptimiseModelError.of('pipeline-not-found', { path, known: [] }, error);
  });
  // A fifth of a second to import, and only needed here.
  const [{ LineCounter, parseDocument }, { pipelineSchema }, { locateIssue }] = await Promise.all([
    import('yaml'),
    import('./pipeline-schema.js'),
    import('./locate-problem.js'),
  ]);
  if (text.includes('\0')) {
    const isModel = path.endsWith('.onnx');
    throw OptimiseModelError.of('pipeline-is-no-text', { path, isModel });
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const syntax = document.errors.map((error) => toProblem(error.message, error.linePos?.[0]));
  if (syntax.length > 0) throw OptimiseModelError.of('pipeline-invalid', { path, problems: syntax });
  const parsed = pipelineSchema.safeParse(applyOverrides(document.toJS(), overrides, folder));
  if (!parsed.success) {
    const problems = parsed.error.issues
      .flatMap((issue) => locateIssue(issue, document, lines))
      .sort(byPlace);
    throw OptimiseModelError.of('pipeline-invalid', { path, problems: dropEchoes(problems) });
  }
  const pipeline = resolvePaths(parsed.data, path, folder);
  const problems = findContradictions(pipeline);
  if (problems.length > 0) throw OptimiseModelError.of('pipeline-invalid', { path, problems });
  return pipeline;
}

/** A misspelt key is also missing under its right name: once is enough. */
function dropEchoes(problems: readonly PipelineProblem[]): readonly PipelineProblem[] {
  const suggested = problems.map(({ path, suggestion }) => path.replace(/[^.]*$/, suggestion ?? ''));
  return problems.filter(({ path, problem }) => !problem.endsWith('is missing') || !suggested.includes(path));
}

function byPlace(left: PipelineProblem, right: PipelineProblem): number {
  return (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0);
}

function toProblem(message: string, place?: { line: number; col: number }): PipelineProblem {
  const [first = message] = message.split('\n');
  const problem = first.replace(/ at line \d+, column \d+:?$/, '');
  return { path: '', line: place?.line ?? null, column: place?.col ?? null, problem, suggestion: null };
}

function applyOverrides(content: unknown, overrides: PipelineOverrides, folder: string): unknown {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return content;
  const file = content as Record<string, Record<string, unknown> | undefined>;
  const { model, to, output, runs, warm, threads, objective } = overrides;
  return {
    ...file,
    ...(model === undefined ? {} : { model: resolve(folder, model) }),
    ...(output === undefined ? {} : { output: resolve(folder, output) }),
    ...mergeSection('stage', file.stage, { to: to === undefined ? to : resolveStore(folder, to) }),
    ...mergeSection('bench', file.bench, { runs, warm, threads }),
    ...mergeSection('pick', file.pick, { objective }),
  };
}

function mergeSection(
  key: string,
  section: unknown,
  overrides: Record<string, unknown>,
): Record<string, unknown> {
  const given = Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length === 0) return {};
  return { [key]: { ...(typeof section === 'object' ? section : {}), ...given } };
}

function resolveStore(folder: string, address: string): string {
  return /^[a-z0-9+.-]+:\/\//i.test(address) ? address : resolve(folder, address);
}

function findContradictions({ variants, output, stage }: Pipeline): readonly PipelineProblem[] {
  const ids = variants.map((variant) => `${variant.precision} ${variant.layout} ${variant.engine}`);
  const twice = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
  const isInStore = `${output}/`.startsWith(`${stage.to}/`);
  return [
    ...twice.map((id) => describeContradiction('variants', `\`variants\` names ${id} more than once`)),
    ...(isInStore
      ? [
          describeContradiction(
            'output',
            `the run folder ${output} is inside the store ${stage.to}; name another`,
          ),
        ]
      : []),
  ];
}

function describeContradiction(path: string, problem: string): PipelineProblem {
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
    publish: content.publish ?? null,
    output: given ?? join(artifacts, content.name),
  };
}
