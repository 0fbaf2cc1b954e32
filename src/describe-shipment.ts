import type { CheckResult } from './check/check-budgets.js';
import { sizeEphemeral } from './ephemeral-need.js';
import { findBudget } from './find-exclusions.js';
import type { SessionOptions } from './lib/session-options.js';
import type { Engine, InferencePrecision } from './lib/variant.js';
import { nameSamParameters, type SamParameters } from './name-sam-parameters.js';
import type { CandidateName, PickResult } from './pick/pick-result.js';
import type { RunOutcome, RunVariant } from './run-pipeline.js';
import { stagedKeys } from './store/staged-layout.js';
import { objectUrl } from './store/store-url.js';

/** What a release pipeline deploys of a choice. */
export type Shipment = CandidateName & {
  readonly digest: string;
  /** Address of the artifact's `artifact.json`; null where it is in no store. */
  readonly artifactUrl: string | null;
  readonly storeUrl: string | null;
  /** Of the same, below the store. */
  readonly artifactKey: string | null;
  /** The release that this run published with it; null where it published none, or another choice. */
  readonly release: string | null;
  readonly engine: Engine;
  /** Of the runtime pack that check counted, or the only one that opens the artifact; null where neither is known. */
  readonly engineVersion: string | null;
  /** What FP32 operations are computed in. */
  readonly inference: InferencePrecision;
  /** What the artifact is bound to by what it is; null for nothing. */
  readonly binding: string | null;
  /** `any`, or the processor that it is made for, as `process.arch` names it. */
  readonly architecture: string;
  /** Ephemeral storage that is needed, MiB. */
  readonly ephemeralMiB: number;
  /** Inside one operator; null leaves it to the loader. */
  readonly threads: number | null;
  /** Null for OpenVINO, which has no such options. */
  readonly session: SessionOptions | null;
  /** Environment variables of the function: what the loader reads, and the handler of `pipelines/lambda`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Of `pipelines/lambda/template.yaml`; null where it cannot ship this. */
  readonly samParameters: SamParameters | null;
  /** Why there are no parameters; null when there are. */
  readonly samProblem: string | null;
};

/** A choice, and what it ships as: null without a winner. */
export type ShippedPick = PickResult & { readonly shipment: Shipment | null };

/** What of a run a shipment is described by. */
export type ShippedRun = Pick<RunOutcome, 'pipeline' | 'variants' | 'budgets' | 'pick' | 'publish'>;

/**
 * Adds to a choice what a release pipeline needs of it.
 *
 * @param run - The run that was chosen from, with its own choice and release.
 * @param picked - The choice, its own or another.
 * @returns The choice with its shipment.
 */
export function shipPick(run: ShippedRun, picked: PickResult): ShippedPick {
  const { winner } = picked;
  const variant = run.variants.find(({ id }) => id === winner?.variantId);
  if (winner === null || variant === undefined) return { ...picked, shipment: null };
  return { ...picked, shipment: describeShipment(run, winner, variant) };
}

function describeShipment(run: ShippedRun, winner: NonNullable<PickResult['winner']>, variant: RunVariant) {
  const { pipeline, budgets } = run;
  const { record, staged, sessions } = variant;
  const { variantId, delivery, startMode, memoryMiB, binding } = winner;
  const { engine, inference } = record.variant;
  const shipped = {
    ...{ variantId, delivery, startMode, memoryMiB, digest: record.digest },
    artifactUrl: staged?.artifactUrl ?? null,
    storeUrl: staged?.storeUrl ?? null,
    artifactKey: staged?.artifactKey ?? null,
    release: findRelease(run, winner),
    ...{ engine, engineVersion: findEngineVersion(variant, budgets), inference, binding },
    architecture: record.requires.architecture,
    ephemeralMiB: sizeEphemeral(record, delivery, findBudget(budgets, variantId, delivery)),
    threads: pipeline.bench.threads ?? null,
    session: engine === 'openvino' ? null : sessions[delivery === 'stream' ? 'stream' : 'own'],
  };
  const environment = listVariables(shipped, pipeline.name);
  const { startModes, openvinoLayer = null } = pipeline.pick;
  const ground = {
    readyProcesses: startModes.provisioned?.processes ?? 1,
    openvinoLayer,
    instructionSets: record.requires.boundTo?.instructionSets ?? [],
  };
  return { ...shipped, environment, ...nameSamParameters({ ...shipped, environment }, ground) };
}

/** A release has its own delivery, session options and threads: it is of this choice, or of no use to it. */
function findRelease({ pick, publish }: ShippedRun, winner: CandidateName): string | null {
  const own = pick?.winner;
  const isSame = own?.variantId === winner.variantId && own.delivery === winner.delivery;
  return isSame ? (publish?.release ?? null) : null;
}

function findEngineVersion({ record }: RunVariant, budgets: CheckResult | null): string | null {
  const { engine, boundTo } = record.requires;
  const pack = budgets?.runtimePacks.find((each) => each.engine === engine);
  return boundTo?.engineVersion ?? pack?.version ?? null;
}

type Named = Pick<Shipment, 'storeUrl' | 'artifactUrl' | 'release' | 'delivery'>;

/**
 * Only what something reads: the loader its own, and the handler of `pipelines/lambda` those that begin with MODEL. Where
 * OpenVINO lies is not known here: the loader looks for it, in layers as well.
 */
function listVariables(
  { storeUrl, artifactUrl, release, delivery }: Named,
  name: string,
): Readonly<Record<string, string>> {
  if (release === null || storeUrl === null)
    return { ...(artifactUrl === null ? {} : { MODEL_SOURCE: artifactUrl }), MODEL_DELIVERY: delivery };
  return {
    MODEL_SOURCE: objectUrl(storeUrl, stagedKeys(name).current),
    OPTIMISE_MODEL_RELEASE: release,
  };
}
