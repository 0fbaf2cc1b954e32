import { compareVersions } from '../lib/compare-versions.js';
import type { Engine } from '../lib/variant.js';

/** What a release of an engine opens. */
export type EngineSupport = {
  /** First release that does. */
  readonly version: string;
  /** Highest opset of the default domain. */
  readonly opset: number;
  readonly irVersion: number;
};

type KnownSupport = {
  /** Each the first release with a change, in order. */
  readonly releases: readonly EngineSupport[];
  /** What later releases open is not known here. */
  readonly newestTried: string;
};

/**
 * What is known of each engine. Below 1.22, onnxruntime-node ignores session options without a word, so that is the floor.
 *
 * @see https://onnxruntime.ai/docs/reference/compatibility.html tried with one-node models on 1.22.1 to 1.30.0 on 2026-11-30
 */
const knownSupport: Readonly<Record<Engine, KnownSupport>> = {
  onnxruntime: {
    releases: [
      { version: '1.22.0', opset: 22, irVersion: 10 },
      { version: '1.23.0', opset: 23, irVersion: 11 },
      { version: '1.24.0', opset: 25, irVersion: 13 },
      { version: '1.25.0', opset: 26, irVersion: 13 },
    ],
    newestTried: '1.30.0',
  },
  // What of ONNX a release reads shows when it reads it; before 2025.1 its numbers of element types were others.
  openvino: {
    releases: [{ version: '2025.1.0', opset: Number.MAX_SAFE_INTEGER, irVersion: Number.MAX_SAFE_INTEGER }],
    newestTried: '2026.4.1',
  },
};

/**
 * Finds the first release of an engine that opens a model.
 *
 * @param engine - The engine.
 * @param opset - Opset of the default domain.
 * @param irVersion - The model's IR version.
 * @returns Its version; for a model beyond what is known, that of the newest change.
 */
export function lowestVersionFor(engine: Engine, opset: number, irVersion: number): string {
  const { releases } = knownSupport[engine];
  const found = releases.find((row) => row.opset >= opset && row.irVersion >= irVersion);
  return (found ?? releases.at(-1))?.version ?? '';
}

/**
 * Looks up what a version of an engine opens.
 *
 * @param engine - The engine.
 * @param version - Its version.
 * @returns What it opens; undefined for versions that were never tried.
 */
export function supportOf(engine: Engine, version: string): EngineSupport | undefined {
  const { releases, newestTried } = knownSupport[engine];
  if ((compareVersions(version, newestTried) ?? 1) > 0) return undefined;
  return releases.findLast((row) => (compareVersions(row.version, version) ?? 1) <= 0);
}
