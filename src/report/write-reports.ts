import { join } from 'node:path';
import { printJson } from '../lib/json.js';
import { writeFileAtomically } from '../lib/write-atomically.js';
import { renderRunHtml } from './html/run-html.js';
import { renderRunMarkdown } from './markdown/run-markdown.js';
import type { RunView } from './run-view.js';

/** One report file. */
export type WrittenReport = {
  readonly format: 'html' | 'markdown' | 'json';
  readonly path: string;
  readonly sizeBytes: number;
};

/**
 * Writes all reports of a run into its folder: `report.html`, `report.md` and `result.json`, the
 * document that `run --json` prints.
 *
 * @param view - The run.
 * @param folder - The run folder.
 * @returns The files, with their sizes in bytes.
 */
export async function writeReports(view: RunView, folder: string): Promise<readonly WrittenReport[]> {
  const reports = [
    { format: 'html', path: join(folder, 'report.html'), text: await renderRunHtml(view) },
    { format: 'markdown', path: join(folder, 'report.md'), text: renderRunMarkdown(view) },
    { format: 'json', path: join(folder, 'result.json'), text: `${printJson(makeDocument(view))}\n` },
  ] as const;
  for (const { path, text } of reports) await writeFileAtomically(path, text);
  return reports.map(({ format, path, text }) => ({ format, path, sizeBytes: Buffer.byteLength(text) }));
}

function makeDocument(view: RunView) {
  // Without a pick the run stopped before it, as after a benchmark: nothing has said no.
  const status = view.pick !== null && view.pick.winner === null ? 'no' : 'ok';
  const { toolVersion, findings } = view;
  return { schemaVersion: 1, toolVersion, command: 'run', status, result: view, findings };
}
