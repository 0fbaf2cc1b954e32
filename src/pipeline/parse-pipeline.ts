import type { Document, LineCounter } from 'yaml';
import { OptimiseModelError } from '../messages/error.js';
import type { PipelineProblem } from '../messages/pipeline-messages.js';
import { applyOverrides, type PipelineOverrides } from './apply-overrides.js';
import { locateIssue } from './locate-problem.js';
import { type PipelineContent, pipelineSchema } from './pipeline-schema.js';

/** YAML with its place in the file. */
type Parsed = { readonly document: Document; readonly lines: LineCounter; readonly content: unknown };

/**
 * Turns the text of a pipeline file into its content, or says everything that is wrong with it.
 *
 * @param text - YAML.
 * @param path - The file, for messages.
 * @param overrides - What flags and environment variables say instead.
 * @param folder - The current folder, for paths in overrides.
 * @returns The content with every default filled in.
 * @throws pipeline-is-no-text; pipeline-invalid with all problems, each with line, column and suggestion.
 */
export async function parsePipeline(
  text: string,
  path: string,
  overrides: PipelineOverrides,
  folder: string,
): Promise<PipelineContent> {
  if (text.includes('\0')) {
    throw OptimiseModelError.of('pipeline-is-no-text', { path, isModel: path.endsWith('.onnx') });
  }
  const { document, lines, content } = await parseYaml(text, path);
  const parsed = pipelineSchema.safeParse(applyOverrides(content, overrides, folder));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.flatMap((issue) => locateIssue(issue, document, lines)).sort(byPlace);
  throw OptimiseModelError.of('pipeline-invalid', { path, problems: dropEchoes(problems) });
}

async function parseYaml(text: string, path: string): Promise<Parsed> {
  const { LineCounter: Counter, parseDocument } = await import('yaml');
  const lines = new Counter();
  const document = parseDocument(text, { lineCounter: lines });
  const wrong = [...document.errors, ...document.warnings];
  const problems = wrong.map((error) => toProblem(error.message, error.linePos?.[0]));
  if (problems.length > 0) throw OptimiseModelError.of('pipeline-invalid', { path, problems });
  try {
    return { document, lines, content: document.toJS() };
  } catch (error) {
    // Aliases that name nothing, or that would make the file grow without end.
    const problem = toProblem(error instanceof Error ? error.message : String(error));
    throw OptimiseModelError.of('pipeline-invalid', { path, problems: [problem] }, error);
  }
}

function toProblem(message: string, place?: { line: number; col: number }): PipelineProblem {
  const [first = message] = message.split('\n');
  const problem = first.replace(/ at line \d+, column \d+:?$/, '');
  return { path: '', line: place?.line ?? null, column: place?.col ?? null, problem, suggestion: null };
}

/** A misspelt key is also missing under its right name: once is enough. */
function dropEchoes(problems: readonly PipelineProblem[]): readonly PipelineProblem[] {
  const suggested = problems.map(({ path, suggestion }) => path.replace(/[^.]*$/, suggestion ?? ''));
  return problems.filter(({ path, problem }) => !problem.endsWith('is missing') || !suggested.includes(path));
}

function byPlace(left: PipelineProblem, right: PipelineProblem): number {
  return (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0);
}
