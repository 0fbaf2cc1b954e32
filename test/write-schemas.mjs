// Writes the published JSON Schemas from the definitions that the tool itself uses. Run after `npm run build`.
import { mkdir, writeFile } from 'node:fs/promises';
import { pipelineJsonSchema } from '../dist/pipeline/pipeline-schema.js';
import { documentJsonSchema } from '../dist/report/documents/document-schema.js';

const folder = new URL('../pipelines/schema/', import.meta.url);
await mkdir(folder, { recursive: true });
for (const [name, schema] of [
  ['pipeline', pipelineJsonSchema()],
  ['result', documentJsonSchema()],
]) {
  await writeFile(new URL(`${name}.schema.json`, folder), `${JSON.stringify(schema, null, 2)}\n`);
}
