import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { bringBytes } from '../../loader/bring-bytes.js';
import { chooseArtifact } from '../../loader/choose-artifact.js';
import { resolveOpenOptions } from '../../loader/open-options.js';
import { asOptimiseModelError } from '../../messages/as-error.js';
import type { ArtifactRecord } from '../../store/artifact-record.js';
import type { SampleError } from '../bench-result.js';
import { planGraphs } from './plan-configurations.js';
import { runTuneChild } from './run-tune-child.js';
import type { TuneOptions } from './tune-options.js';
import type { SavedGraph, TuneConfiguration } from './tune-result.js';

/** All files of a model that configurations open. */
export type PreparedFiles = {
  readonly modelPath: string;
  readonly paths: readonly string[];
  readonly sizeBytes: number;
};

/** The same, or why there is none. */
export type PreparedModel = PreparedFiles | { readonly error: SampleError };

/** The models of all configurations. */
export type PreparedModels = {
  readonly find: (configuration: TuneConfiguration) => PreparedModel | undefined;
  /** Removes the expanded form. */
  readonly discard: () => Promise<void>;
};

/**
 * Makes the models that configurations open: the artifact itself, its expanded form by way of the loader's `stream`, and
 * the graphs that are saved beforehand, each by a process of its own.
 *
 * @param options - What is tuned.
 * @param record - Of its artifact.
 * @param folder - An empty one of ours.
 * @param context - `signal` stops it; `step` hears of each model.
 * @returns The models; those that could not be made say why.
 * @throws The signal's reason.
 */
export async function prepareModels(
  options: TuneOptions,
  record: ArtifactRecord,
  folder: string,
  context: { readonly signal: AbortSignal; readonly step: () => void },
): Promise<PreparedModels> {
  const own = await describeFolder(
    options.artifactFolder,
    record.entry,
    record.files.map((file) => file.path),
  );
  const { engine, layout } = record.variant;
  const isExpanded = engine === 'onnxruntime' || layout === 'single' || layout === 'external';
  const expanded = isExpanded ? await expand(options.artifactFolder, record, folder) : asItIs(own);
  context.step();
  const graphs = new Map<string, PreparedModel>();
  try {
    for (const graph of engine === 'onnxruntime' ? planGraphs(options.levels) : []) {
      const place = join(folder, nameGraph(graph));
      graphs.set(nameGraph(graph), await saveGraph(graph, place, { ...options, record }, context.signal));
      context.step();
    }
  } catch (error) {
    await expanded.discard();
    throw error;
  }
  return {
    find: ({ form, saved }) => {
      if (saved !== null) return graphs.get(nameGraph(saved));
      return form === 'own' ? own : expanded.model;
    },
    discard: expanded.discard,
  };
}

function nameGraph({ optimisation, isPrepacked }: SavedGraph): string {
  return isPrepacked ? `${optimisation}-prepacked` : optimisation;
}

/** Nothing is made of it. */
function asItIs(model: PreparedModel): ExpandedModel {
  return { model, discard: async () => undefined };
}

type ExpandedModel = { readonly model: PreparedModel; readonly discard: () => Promise<void> };

async function expand(
  artifactFolder: string,
  { expansion }: ArtifactRecord,
  ephemeralDir: string,
): Promise<ExpandedModel> {
  try {
    // Nothing of the environment takes part: a release that a handler is pinned to is none of an artifact's business.
    const options = resolveOpenOptions({ ephemeralDir, delivery: 'stream' }, {});
    const brought = await bringBytes.stream(await chooseArtifact(artifactFolder, options), options);
    if (!('path' in brought.source)) throw new Error('the expanded form is not a file');
    const folder = brought.source.path.slice(0, -expansion.entry.length - 1);
    const names = expansion.files.map((file) => file.path);
    const { discard } = brought;
    return { model: await describeFolder(folder, expansion.entry, names), discard };
  } catch (error) {
    const { code, message } = asOptimiseModelError(error);
    return { model: { error: { code, what: message } }, discard: async () => undefined };
  }
}

async function saveGraph(
  graph: SavedGraph,
  folder: string,
  options: TuneOptions & { readonly record: ArtifactRecord },
  signal: AbortSignal,
): Promise<PreparedModel> {
  const { record, artifactFolder } = options;
  await mkdir(folder);
  const target = { path: join(folder, 'model.onnx'), dataFileName: 'model.onnx.data', ...graph };
  const modelPath = join(artifactFolder, record.entry);
  const { engine } = record.variant;
  const job = { kind: 'save', engine, modelPath, environment: {}, target } as const;
  const answer = await runTuneChild(job, options, signal);
  return answer.ok ? describeFolder(folder, 'model.onnx', await readdir(folder)) : { error: answer.error };
}

async function describeFolder(
  folder: string,
  entry: string,
  names: readonly string[],
): Promise<PreparedModel> {
  const paths = names.map((name) => join(folder, name));
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  return { modelPath: join(folder, entry), paths, sizeBytes: sizes.reduce((sum, size) => sum + size, 0) };
}
