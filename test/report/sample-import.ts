import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { importLambdaRuns } from '../../src/bench/import/import-lambda-runs.js';
import type { ImportReport } from '../../src/report/documents/import-result.js';

const logs = resolve(import.meta.dirname, '../bench/import/logs');

/** What an import of the logs of all seven functions gives. */
export async function makeSampleImport(): Promise<ImportReport> {
  const files = readdirSync(logs).map((name) => join(logs, name));
  return importLambdaRuns({ files, functionName: 'src_lambda_node_loader', skipIncomplete: false });
}
