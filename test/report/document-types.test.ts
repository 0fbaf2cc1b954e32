import { expect, test } from 'vitest';
import type { BenchResult } from '../../src/bench/bench-result.js';
import type { SweepResult } from '../../src/bench/sweep/sweep-result.js';
import type { TuneResult } from '../../src/bench/tune/tune-result.js';
import type { CheckResult } from '../../src/check/check-budgets.js';
import type { ConvertResult } from '../../src/convert/convert-options.js';
import type { ShippedPick } from '../../src/describe-shipment.js';
import type { ArtifactInspection } from '../../src/inspect-artifact.js';
import type { ModelSummary } from '../../src/onnx/summarise-model.js';
import type { ListReleasesResult } from '../../src/publish/list-releases.js';
import type { PromoteResult } from '../../src/publish/promote-release.js';
import type { PruneResult } from '../../src/publish/prune/prune-result.js';
import type { PublishResult } from '../../src/publish/publish-release.js';
import type { BenchReport } from '../../src/report/documents/bench-result.js';
import type { CheckReport } from '../../src/report/documents/check-result.js';
import type { ConvertReport } from '../../src/report/documents/convert-result.js';
import type { ArtifactInspectionReport, InspectReport } from '../../src/report/documents/inspect-result.js';
import type { ParityReport } from '../../src/report/documents/parity-result.js';
import type { PickReport } from '../../src/report/documents/pick-result.js';
import type {
  PromoteReport,
  PruneReport,
  ReleasesListReport,
} from '../../src/report/documents/release-results.js';
import type { FetchReport, PublishReport, StageReport } from '../../src/report/documents/store-results.js';
import type { SweepReport } from '../../src/report/documents/sweep-result.js';
import type { TuneReport } from '../../src/report/documents/tune-result.js';
import type { FetchResult } from '../../src/stage/fetch-artifact.js';
import type { StageResult } from '../../src/stage/stage-artifact.js';
import type { ParityResult } from '../../src/validate/parity-result.js';

/** Keys, at any depth, that a value has and its document does not know: a strict schema would refuse them. */
type Surplus<From, To> = From extends readonly (infer FromItem)[]
  ? To extends readonly (infer ToItem)[]
    ? Surplus<NonNullable<FromItem>, NonNullable<ToItem>>
    : never
  : From extends object
    ? To extends object
      ? string extends keyof From
        ? never
        :
            | Exclude<keyof From, keyof To>
            | {
                [Key in keyof From & keyof To]: Surplus<NonNullable<From[Key]>, NonNullable<To[Key]>>;
              }[keyof From & keyof To]
      : never
    : never;

/** True when the document takes the result as it is; otherwise a type that `true` cannot have. */
type Takes<Document, Result> = [Result] extends [Document]
  ? [Surplus<Result, Document>] extends [never]
    ? true
    : { readonly surplus: Surplus<Result, Document> }
  : 'not assignable';

test('the documents take what the verbs return, key by key (proved by the compiler)', () => {
  const proofs: readonly [
    Takes<CheckReport, CheckResult>,
    Takes<PickReport, ShippedPick>,
    Takes<BenchReport, BenchResult>,
    Takes<SweepReport, SweepResult>,
    Takes<TuneReport, TuneResult>,
    Takes<ParityReport, ParityResult>,
    Takes<StageReport, StageResult>,
    Takes<FetchReport, FetchResult>,
    Takes<PublishReport, PublishResult>,
    Takes<ReleasesListReport, ListReleasesResult>,
    Takes<PromoteReport, PromoteResult>,
    Takes<PruneReport, PruneResult>,
    Takes<InspectReport, ModelSummary>,
    Takes<ArtifactInspectionReport, ArtifactInspection>,
    Takes<ConvertReport, ConvertResult>,
  ] = [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true];
  expect(proofs.every(Boolean)).toBe(true);
});
