import { compareVersions } from '../lib/compare-versions.js';
import { readInstructionSets } from '../lib/instruction-sets.js';
import { OptimiseModelError } from '../messages/error.js';
import { supportOf } from '../runtimes/engine-support.js';
import { enginePackages } from '../runtimes/installed-version.js';
import type { ArtifactSummary } from '../store/artifact-record.js';
import type { RuntimeNeed } from '../store/runtime-need.js';

/** What an artifact would run on. */
export type OfferedRuntime = {
  /** Of the engine that the artifact is for; undefined when it is not known yet. */
  readonly version: string | undefined;
  /** As `process.arch`. */
  readonly architecture: string;
  /** What its processor can do, as Linux names it; undefined where that is not known, and meets nothing. Asked only of what is bound to some. */
  readonly listInstructionSets: () => readonly string[] | undefined;
};

/**
 * Describes this machine.
 *
 * @param version - Of the engine, where it is known.
 * @returns What it offers.
 */
export function offerHere(version: string | undefined): OfferedRuntime {
  return { version, architecture: process.arch, listInstructionSets: readInstructionSets };
}

/** Nothing is known of it. */
type BareNeed = { readonly variant: null; readonly requires: null };

/** One thing that an artifact needs and does not get. */
type UnmetNeed = { readonly need: string; readonly expected: string; readonly seen: string };

/**
 * Refuses an artifact that cannot run here, with everything that is in the way.
 *
 * @param record - The artifact; what a bare file needs, nobody has written down.
 * @param offered - What there is.
 * @throws `requirement-not-met`.
 */
export function refuseUnmetNeed(
  { requires, variant }: Pick<ArtifactSummary, 'variant' | 'requires'> | BareNeed,
  offered: OfferedRuntime,
): void {
  if (requires === null) return;
  const { version } = offered;
  const unmet = [
    ...(version === undefined ? [] : findUnmetVersions(requires, version)),
    ...(['any', offered.architecture].includes(requires.architecture)
      ? []
      : [{ need: 'architecture', expected: requires.architecture, seen: offered.architecture }]),
    ...findUnmetBinding(requires, offered),
  ];
  if (unmet.length === 0) return;
  const { engine } = requires;
  throw OptimiseModelError.of('requirement-not-met', {
    variant: variant.id,
    engine,
    version: version ?? null,
    packageName: enginePackages[engine],
    unmet,
  });
}

function findUnmetVersions(need: RuntimeNeed, version: string): readonly UnmetNeed[] {
  const unmet: UnmetNeed[] = [];
  const { engine, minimumVersion } = need;
  // What is no version is left to the engine to judge.
  if ((compareVersions(version, minimumVersion) ?? 0) < 0) {
    unmet.push({ need: `${engine} version`, expected: `at least ${minimumVersion}`, seen: version });
  }
  const support = supportOf(engine, version);
  if (support === undefined) return unmet;
  if (need.opset > support.opset) {
    unmet.push({ need: 'opset', expected: String(need.opset), seen: `at most ${support.opset}` });
  }
  if (need.irVersion > support.irVersion) {
    unmet.push({
      need: 'IR version',
      expected: String(need.irVersion),
      seen: `at most ${support.irVersion}`,
    });
  }
  return unmet;
}

/** What was compiled or packed for one engine and processor may open on another, and be wrong. */
function findUnmetBinding({ engine, boundTo }: RuntimeNeed, offered: OfferedRuntime): readonly UnmetNeed[] {
  if (boundTo === null) return [];
  const { engineVersion, instructionSets } = boundTo;
  const { version } = offered;
  const isOther = engineVersion !== null && version !== undefined && version !== engineVersion;
  const present = instructionSets.length === 0 ? [] : offered.listInstructionSets();
  const absent = instructionSets.filter((each) => !present?.includes(each));
  return [
    ...(isOther ? [{ need: `${engine} version`, expected: `exactly ${engineVersion}`, seen: version }] : []),
    ...(absent.length > 0
      ? [
          {
            need: 'processor',
            expected: instructionSets.join(', '),
            seen: present ? `none with ${absent.join(', ')}` : 'unknown',
          },
        ]
      : []),
  ];
}
