import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type Delivery, usualDeliveries } from '../lib/delivery.js';
import { quietContext, type WorkContext } from '../lib/work-context.js';
import { OptimiseModelError } from '../messages/error.js';
import { externalFilesOf } from '../onnx/external-files.js';
import { readModel } from '../onnx/read-model.js';
import { type ArtifactRecord, artifactRecordName, readArtifactFolder } from '../store/artifact-record.js';
import { refuseOpenvinoFile } from '../store/openvino-file.js';
import { type CheckedArtifact, type CheckOptions, type CheckResult, checkBudgets } from './check-budgets.js';
import { expandFolders, expandRequired } from './expand-folders.js';
import { judgeRequired, resolveRequired } from './judge-required.js';
import type { ProfileName } from './lambda-limits.js';
import { measurePath } from './measure-path.js';
import { type MeasuredFile, sumFileBytes } from './measured-file.js';
import { nameArtifacts } from './name-artifacts.js';
import { resolveLimits } from './resolve-limits.js';
import { measureShippedRuntimes } from './shipped-runtime.js';

/** What is held against which limits. */
export type CheckArtifactsOptions = {
  /** Artifact folders, folders that hold nothing but these, other folders, or single files. */
  readonly paths: readonly string[];
  /** Those that need nothing but a store when left out. */
  readonly deliveries?: readonly Delivery[] | undefined;
  /** How `mount` reads; copied first when left out. */
  readonly mountMode?: 'copy' | 'direct' | undefined;
  readonly profile?: ProfileName | undefined;
  /** Ephemeral storage of the function, 512 (the default) to 10240 MiB. */
  readonly ephemeralMiB?: number | undefined;
  /** Memory of the function, MiB; not checked when left out. */
  readonly memoryMiB?: number | undefined;
};

/**
 * Holds artifacts against the limits of the function they would be shipped in, each with the runtime pack and the loader
 * that it needs, as they are installed here. Where its engine is not, the artifact is not judged, with a finding.
 *
 * @param options - Paths and limits.
 * @param context - Signal and progress.
 * @returns A row per artifact and delivery.
 * @throws path-not-found and what else {@link measurePath} throws; artifact-wrong; artifact-folder-needed; ephemeral-size-wrong;
 *   memory-size-wrong; openvino-path-wrong.
 */
export async function checkArtifacts(
  options: CheckArtifactsOptions,
  context: WorkContext = quietContext(),
): Promise<CheckResult> {
  const { paths, findings } = await expandFolders(options.paths);
  const result = await checkBudgets(await gatherCheck({ ...options, paths }), context);
  return { ...result, findings: [...findings, ...result.findings] };
}

/** What is held against which limits, and what of it must fit. */
export type GateOptions = CheckArtifactsOptions & {
  /**
   * `VARIANT`, `PATH`, `DELIVERY`, `VARIANT:DELIVERY` or `PATH:DELIVERY`, each with all rows that it names; when left out,
   * each path must fit by one of the deliveries, and by another than `lazy` while `memoryMiB` is not stated.
   */
  readonly require?: readonly string[] | undefined;
};

/**
 * Checks artifacts and decides whether the check passes as a gate.
 *
 * @param options - Paths, limits and what must fit.
 * @param context - Signal and progress.
 * @returns Whether it passes, whether it could not be judged, and what {@link checkArtifacts} returns.
 * @throws As {@link checkArtifacts}; required-unknown; required-ambiguous.
 */
export async function gateArtifacts(
  options: GateOptions,
  context: WorkContext = quietContext(),
): Promise<{ readonly fits: boolean; readonly isUnjudged: boolean; readonly result: CheckResult }> {
  const { paths, artifactsOf, findings: expanded } = await expandFolders(options.paths);
  const gathered = await gatherCheck({ ...options, paths });
  const names = (options.require ?? []).flatMap((name) => expandRequired(name, artifactsOf));
  const required = resolveRequired(names, gathered.artifacts, gathered.deliveries);
  const result = await checkBudgets(gathered, context);
  const { fits, isUnjudged, findings } = judgeRequired(result, required);
  return {
    fits,
    isUnjudged,
    result: { ...result, findings: [...expanded, ...result.findings, ...findings] },
  };
}

/**
 * Measures everything that a check counts.
 *
 * @param options - Paths and limits.
 * @returns What {@link checkBudgets} takes.
 * @throws As {@link checkArtifacts}.
 */
export async function gatherCheck(options: CheckArtifactsOptions): Promise<CheckOptions> {
  const limits = resolveLimits({
    profile: options.profile ?? 'lambda-zip',
    ephemeralMiB: options.ephemeralMiB,
    memoryMiB: options.memoryMiB ?? null,
  });
  const artifacts = nameArtifacts(await Promise.all(listOnce(options.paths).map(measureArtifact)));
  return {
    artifacts,
    deliveries: options.deliveries ?? usualDeliveries,
    mountMode: options.mountMode ?? 'copy',
    limits,
    shipped: await measureShippedRuntimes(artifacts),
  };
}

function listOnce(paths: readonly string[]): readonly string[] {
  return [...new Map(paths.toReversed().map((path) => [resolve(path), path])).values()].toReversed();
}

async function measureArtifact(path: string): Promise<Omit<CheckedArtifact, 'subject'>> {
  const measured = await measurePath(path);
  const isArtifact = (await stat(path)).isDirectory() && measured.files.some(isArtifactRecord);
  if (!isArtifact) {
    await refuseOpenvinoFile(path);
    const files = path.endsWith('.onnx') ? await listModelFiles(path) : measured.files;
    if (files.length === 0) throw OptimiseModelError.of('path-not-found', { path: join(path, '*') });
    const sizeBytes = sumFileBytes(files);
    const opened = { engine: 'onnxruntime', layout: 'single' } as const;
    const sizes = { sizeBytes, expandedSizeBytes: sizeBytes, sessionSizeBytes: sizeBytes };
    return { variantId: basename(path), ...opened, path, ...sizes, files };
  }
  const { record } = await readArtifactFolder(path);
  const { variant, sizeBytes, expandedSizeBytes } = record;
  const sessionSizeBytes = estimateSession(record);
  const { id: variantId, engine, layout } = variant;
  const sizes = { sizeBytes, expandedSizeBytes, sessionSizeBytes };
  return { variantId, engine, layout, path, ...sizes, files: measured.files };
}

/** OpenVINO expands the halves of its own formats itself, which no plan shows; what they were made of is on record. */
function estimateSession({ variant, expandedSizeBytes, provenance }: ArtifactRecord): number {
  const isOwn = variant.layout === 'ir' || variant.layout === 'blob';
  return isOwn ? Math.max(expandedSizeBytes, provenance.sourceSizeBytes) : expandedSizeBytes;
}

/** A model and every data file that it refers to, once each; what else lies in the folder is not shipped with it. */
async function listModelFiles(path: string): Promise<readonly MeasuredFile[]> {
  const model = await readModel(path);
  const data = await externalFilesOf(model);
  return [
    { path: basename(path), sizeBytes: model.sizeBytes, sourcePath: path },
    ...data.map((file) => ({ path: file.location, sizeBytes: file.sizeBytes, sourcePath: file.path })),
  ];
}

function isArtifactRecord(file: { readonly path: string }): boolean {
  return file.path === artifactRecordName;
}
