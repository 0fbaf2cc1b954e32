import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';

/** One source file as the structure test sees it. */
export type Source = {
  /** Relative to `src`, such as `store/open-store.ts`. */
  readonly path: string;
  readonly lineCount: number;
  /** Every module it imports, types included; our own as paths relative to `src`. */
  readonly imports: readonly string[];
  /** Those that are loaded with the module: neither types alone nor imported on demand. */
  readonly loads: readonly string[];
  /** Names of exports that have no doc comment right above them. */
  readonly undocumented: readonly string[];
  /** Exported functions whose doc comment leaves out a parameter or the result. */
  readonly undescribed: readonly string[];
};

const root = resolve(import.meta.dirname, '../../src');

/** Reads all TypeScript files under `src`. */
export function readSources(): readonly Source[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.generated.ts'))
    .map((path) => readSource(join(root, path)));
}

function readSource(path: string): Source {
  const text = readFileSync(path, 'utf8');
  const parsed = parseSync(path, text);
  if (parsed.errors.length > 0) throw new Error(`${path}: ${parsed.errors[0]?.message}`);
  const { staticImports, staticExports, dynamicImports } = parsed.module;
  const specifiers = [
    ...staticImports.map((item) => item.moduleRequest.value),
    ...staticExports.flatMap((item) => item.entries.map((entry) => entry.moduleRequest?.value)),
    ...dynamicImports.map((item) => text.slice(item.moduleRequest.start + 1, item.moduleRequest.end - 1)),
    ...Array.from(text.matchAll(/requirePackage\(\s*'([^']+)'/g), ([, name]) => name),
  ].filter((specifier) => specifier !== undefined);
  const documentedEnds = parsed.comments
    .filter((comment) => comment.type === 'Block' && comment.value.startsWith('*'))
    .map((comment) => comment.end);
  const isDocumented = (start: number) =>
    documentedEnds.some((end) => end < start && text.slice(end, start).trim() === '');
  const undocumented = staticExports
    .filter((item) => item.entries.some((entry) => entry.moduleRequest == null))
    .filter((item) => !isDocumented(item.start))
    .map((item) => text.slice(item.start, item.start + 60).split('\n')[0] ?? '');
  return {
    path: relative(root, path),
    lineCount: text.split('\n').length - 1,
    imports: [...new Set(specifiers)].map((specifier) => toSourcePath(specifier, path)),
    loads: staticImports
      .filter((item) => item.entries.length === 0 || item.entries.some((entry) => !entry.isType))
      .map((item) => toSourcePath(item.moduleRequest.value, path)),
    undocumented,
    undescribed: parsed.program.body.flatMap((statement) => {
      const fn = statement.type === 'ExportNamedDeclaration' ? statement.declaration : null;
      if (fn?.type !== 'FunctionDeclaration') return [];
      const ends = parsed.comments.filter((comment) => comment.end < statement.start);
      const result = fn.returnType == null ? '' : text.slice(fn.returnType.start, fn.returnType.end);
      const isDescribed = describes(ends.at(-1)?.value ?? '', fn.params.length, result);
      return isDescribed ? [] : [fn.id?.name ?? ''];
    }),
  };
}

function describes(doc: string, parameterCount: number, resultType: string): boolean {
  const hasParameters = (doc.match(/@param /g) ?? []).length >= parameterCount;
  return hasParameters && (/^: (Promise<)?(void|never)>?$/.test(resultType) || doc.includes('@returns'));
}

function toSourcePath(specifier: string, importer: string): string {
  if (!specifier.startsWith('.')) return specifier;
  return relative(root, resolve(dirname(importer), specifier)).replace(/\.js$/, '.ts');
}
