import { z } from 'zod';
import { benchCommandResultSchema } from './bench-command-result.js';
import { checkResultSchema } from './check-result.js';
import { convertResultSchema } from './convert-result.js';
import { importResultSchema } from './import-result.js';
import { artifactInspectionSchema, inspectResultSchema } from './inspect-result.js';
import { parityResultSchema } from './parity-result.js';
import { pickResultSchema } from './pick-result.js';
import { promoteResultSchema, pruneResultSchema, releasesListSchema } from './release-results.js';
import { doctorResultSchema, dryRunResultSchema, reportResultSchema, runResultSchema } from './run-result.js';
import { findingsSchema } from './shared-schemas.js';
import {
  cleanResultSchema,
  fetchResultSchema,
  publishResultSchema,
  stageResultSchema,
  stagingPlanSchema,
} from './store-results.js';

const errorSchema = z
  .strictObject({
    code: z.string(),
    what: z.string(),
    remedy: z.string(),
    facts: z.record(z.string(), z.unknown()),
    causes: z.array(z.string()).describe('What lies under it, outermost first.'),
  })
  .meta({ id: 'Error' });

const head = { schemaVersion: z.literal(1), toolVersion: z.string() };

/** A command that came to a result: done, a check said no, or it could not judge. */
function describeDone<Command extends string, Result extends z.ZodType>(command: Command, result: Result) {
  return z.strictObject({
    ...head,
    command: z.literal(command),
    status: z.enum(['ok', 'no', 'unjudged']),
    result,
    findings: findingsSchema,
  });
}

/** A command that could not do its work, or was stopped. */
function describeFailed<Command extends string>(command: Command) {
  return z.strictObject({
    ...head,
    command: z.literal(command),
    status: z.enum(['error', 'interrupted']),
    findings: findingsSchema,
    error: errorSchema,
  });
}

function describeCommand<Command extends string, Result extends z.ZodType>(command: Command, result: Result) {
  return z.discriminatedUnion('status', [describeDone(command, result), describeFailed(command)]);
}

/** Every document that `--json` prints, one per call, told apart by `command` and then by `status`. */
export const documentSchema = z
  .discriminatedUnion('command', [
    describeCommand('run', z.union([runResultSchema, dryRunResultSchema])),
    describeCommand('inspect', z.union([inspectResultSchema, artifactInspectionSchema])),
    describeCommand('convert', convertResultSchema),
    describeCommand('validate', parityResultSchema),
    describeCommand('check', checkResultSchema),
    describeCommand('stage', z.union([stageResultSchema, stagingPlanSchema, cleanResultSchema])),
    describeCommand('fetch', fetchResultSchema),
    describeCommand('bench', benchCommandResultSchema),
    describeCommand('bench import', importResultSchema),
    describeCommand('pick', pickResultSchema),
    describeCommand('publish', publishResultSchema.nullable()),
    describeCommand('releases list', releasesListSchema),
    describeCommand('releases promote', promoteResultSchema),
    describeCommand('releases rollback', promoteResultSchema),
    describeCommand('releases prune', pruneResultSchema),
    describeCommand('report', reportResultSchema),
    describeCommand('doctor', doctorResultSchema),
    // What went wrong before a command was known.
    describeFailed('optimise-model'),
  ])
  .meta({
    title: 'optimise-model --json',
    description:
      'The one document that `optimise-model … --json` prints on stdout, on success and on failure. Base units, named in the ' +
      'key; NaN and infinities as strings.',
  });

/** Any document that `--json` prints. */
export type Document = z.infer<typeof documentSchema>;

/**
 * Writes the JSON Schema of {@link documentSchema}, which is published with the package.
 *
 * @returns Draft 2020-12.
 */
export function documentJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(documentSchema, { target: 'draft-2020-12' }) as Record<string, unknown>;
}
