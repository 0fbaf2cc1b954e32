import { spreadOf } from '../statistics/spread.js';
import type { MeasuredConfiguration } from './measure-configurations.js';
import type { TuneConfiguration, TunedConfiguration } from './tune-result.js';

/** What graphs that are saved here are made for. */
export type SavingMachine = { readonly cpuModel: string; readonly engineVersion: string };

/**
 * Sums up the samples of a configuration. Sums are formed per process before their median is taken.
 *
 * @param measured - The configuration with its samples; one that failed has no figures, as those that are there may
 *   differ from those that are not.
 * @param machine - What saved graphs are bound to, where they are.
 * @returns The configuration with its figures.
 */
export function summariseConfiguration(
  { configuration, model, samples, error }: MeasuredConfiguration,
  machine: SavingMachine,
): TunedConfiguration {
  const isUseless = configuration.saved !== null && error !== null;
  const whole = error === null ? samples : [];
  const medianOf = (values: readonly number[]) => spreadOf(values)?.median ?? null;
  return {
    ...configuration,
    sessionMs: medianOf(whole.map((sample) => sample.sessionMs)),
    firstInferenceMs: medianOf(whole.map((sample) => sample.firstInferenceMs)),
    readyMs: medianOf(whole.map((sample) => sample.sessionMs + sample.firstInferenceMs)),
    steadyMs: medianOf(whole.flatMap((sample) => sample.steadyMs)),
    sizeBytes: 'sizeBytes' in model && !isUseless ? model.sizeBytes : null,
    cacheSizeBytes: highestOf(whole.flatMap((sample) => sample.cacheSizeBytes ?? [])),
    peakRssBytes: highestOf(whole.map((sample) => sample.peakRssBytes)),
    boundTo: isUseless ? null : describeBinding(configuration, machine),
    samples,
    error,
  };
}

function highestOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.max(...values);
}

/** @see https://onnxruntime.ai/docs/performance/model-optimizations/graph-optimizations.html (layout optimizations) */
function describeBinding(
  { saved: graph, modelCache }: TuneConfiguration,
  { cpuModel, engineVersion }: SavingMachine,
): string | null {
  if (modelCache !== 'none') return `processors like this one (${cpuModel}) and OpenVINO ${engineVersion}`;
  if (graph === null) return null;
  if (graph.isPrepacked) return `processors like this one (${cpuModel}) and onnxruntime ${engineVersion}`;
  const isForFamily = graph.optimisation === 'all' || graph.optimisation === 'layout';
  return isForFamily ? `processors of this family (${cpuModel})` : null;
}
