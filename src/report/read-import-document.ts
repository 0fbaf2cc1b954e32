import { readFile } from 'node:fs/promises';
import { OptimiseModelError } from '../messages/error.js';
import { explainSystemError } from '../messages/explain-system-error.js';
import { type ImportReport, importDocumentSchema } from './documents/import-result.js';

/**
 * Reads what `bench import --json` printed.
 *
 * @param file - Path.
 * @returns The import.
 * @throws `import-document-unreadable`; `import-document-wrong` for anything that is no such document of this version.
 */
export async function readImportDocument(file: string): Promise<ImportReport> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const facts = { file, reason: explainSystemError(cause) };
    throw OptimiseModelError.of('import-document-unreadable', facts, cause);
  });
  const document = parseJson(text, file);
  const read = importDocumentSchema.safeParse(document);
  if (read.success) return read.data.result;
  throw OptimiseModelError.of('import-document-wrong', { file, ...describeDocument(document, read.error) });
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw OptimiseModelError.of('import-document-wrong', { file, seen: 'no JSON', field: null }, cause);
  }
}

type Problem = { readonly issues: readonly { readonly path: readonly PropertyKey[] }[] };

function describeDocument(
  document: unknown,
  { issues }: Problem,
): { readonly seen: string; readonly field: string | null } {
  const { command, status } = (document ?? {}) as { readonly command?: unknown; readonly status?: unknown };
  if (typeof command !== 'string') return { seen: 'JSON of another kind', field: null };
  if (command !== 'bench import') return { seen: `what \`${command} --json\` prints`, field: null };
  if (status !== 'ok') return { seen: `of an import that failed (status ${String(status)})`, field: null };
  const [first] = issues;
  return { seen: 'of another version or damaged', field: first?.path.map(String).join('.') ?? null };
}
