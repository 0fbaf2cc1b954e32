import { printJson } from '../lib/json.js';
import type { ArtifactRecord } from './artifact-record.js';

/**
 * Writes an `artifact.json`: for people, with the plan of the expansion one part a line, of which there are many.
 *
 * @param record - The record.
 * @returns JSON text with a final newline.
 */
export function printArtifactRecord(record: ArtifactRecord): string {
  const { expansion } = record;
  const plans = expansion.files.map(({ parts }) => parts.map((part) => JSON.stringify(part)).join(',\n'));
  const bare = { ...expansion, files: expansion.files.map((file) => ({ ...file, parts: [] })) };
  const text = printJson({ ...record, expansion: bare });
  let index = 0;
  // Inside of a text, quotes are escaped: only the keys read like this, and they come in the order of the files.
  const filled = text.replace(/"parts": \[\]/g, () => `"parts": [\n${plans[index++] ?? ''}]`);
  return `${filled}\n`;
}
