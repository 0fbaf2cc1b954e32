import { type Delivery, deliveries } from '../lib/delivery.js';
import { RecordReader } from './record-fields.js';
import {
  type BenchSummary,
  checkOpenableArtifact,
  checkOpenableRelease,
  type Judgement,
  type ReleasedArtifact,
  type ReleaseRecord,
} from './release-record.js';

/**
 * Reads a whole release document, trusting none of it.
 *
 * @param text - JSON text.
 * @param where - Its address, for messages.
 * @returns The release.
 * @throws `record-wrong` naming the first field that is wrong.
 */
export function parseReleaseRecord(text: string, where: string): ReleaseRecord {
  const reader = new RecordReader(where);
  const fields = reader.open(text, 'release');
  return {
    schemaVersion: 1,
    kind: 'release',
    ...checkOpenableRelease(fields, reader, checkArtifact),
    createdAt: reader.text(fields.createdAt, '`createdAt`'),
    toolVersion: reader.text(fields.toolVersion, '`toolVersion`'),
    reason: reader.text(fields.reason, '`reason`'),
  };
}

function checkArtifact(item: unknown, reader: RecordReader): ReleasedArtifact {
  const openable = checkOpenableArtifact(item, reader);
  const fields = reader.fields(item, 'an item of `artifacts`');
  return {
    ...openable,
    parity: fields.parity === null ? null : checkJudgement(fields.parity, reader),
    budgets: reader.list(fields.budgets, '`budgets`').map((budget) => ({
      delivery: checkDelivery(budget, reader),
      ...checkJudgement(budget, reader),
    })),
    bench: reader.list(fields.bench, '`bench`').map((row) => checkBench(row, reader)),
  };
}

function checkDelivery(item: unknown, reader: RecordReader): Delivery {
  return reader.choice(reader.fields(item, 'a summary').delivery, '`delivery`', deliveries);
}

function checkJudgement(item: unknown, reader: RecordReader): Judgement {
  const fields = reader.fields(item, 'a judgement');
  return {
    verdict: reader.text(fields.verdict, '`verdict`'),
    reason: reader.text(fields.reason, '`reason`'),
  };
}

function checkBench(item: unknown, reader: RecordReader): BenchSummary {
  const fields = reader.fields(item, 'an item of `bench`');
  const median = (name: string): number | null => {
    const value = fields[name];
    if (value === null || (typeof value === 'number' && value >= 0)) return value;
    return reader.refuse(`\`bench.${name}\` is no number ≥ 0`);
  };
  return {
    delivery: checkDelivery(item, reader),
    runs: reader.count(fields.runs, '`bench.runs`'),
    medianTotalMs: median('medianTotalMs'),
    medianReadyMs: median('medianReadyMs'),
    medianSteadyMs: median('medianSteadyMs'),
  };
}
