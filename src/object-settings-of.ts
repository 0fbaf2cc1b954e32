import { makeObjectSettings, type ObjectSettings } from './lib/object-settings.js';
import type { Pipeline } from './pipeline/read-pipeline.js';

/**
 * Says how a pipeline writes objects.
 *
 * @param pipeline - Its sections stage and publish.
 * @returns The settings.
 */
export function objectSettingsOf({ stage, publish }: Pick<Pipeline, 'stage' | 'publish'>): ObjectSettings {
  // A run that an earlier version recorded has no word on it.
  return { ...makeObjectSettings(stage), conditionalWrites: publish?.unconditional !== true };
}
