import type { Delivery } from './lib/delivery.js';
import { type StartMode, startModes } from './lib/start-mode.js';
import type { Pipeline } from './pipeline/read-pipeline.js';

/** Ephemeral storage that SnapStart allows, MiB. @see https://docs.aws.amazon.com/lambda/latest/dg/snapstart.html */
const snapshotMostMiB = 512;

/**
 * Lists the start modes that a pipeline asks for.
 *
 * @param pipeline - The pipeline.
 * @returns In the order in which they are always listed.
 */
export function listStartModes({ pick }: Pick<Pipeline, 'pick'>): readonly StartMode[] {
  const asked: Readonly<Record<StartMode, boolean>> = {
    'on-demand': pick.startModes['on-demand'],
    snapstart: pick.startModes.snapstart !== undefined,
    provisioned: pick.startModes.provisioned !== undefined,
  };
  return startModes.filter((mode) => asked[mode]);
}

/**
 * Says why the platform does not take an artifact by a delivery in a start mode, whatever it is measured by.
 *
 * @param startMode - How the platform starts the process.
 * @param delivery - How the bytes come.
 * @param ephemeralMiB - Ephemeral storage that it needs, MiB.
 * @returns One clause each; mostly none.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/snapstart.html (limitations)
 */
export function listUnfit(startMode: StartMode, delivery: Delivery, ephemeralMiB: number): readonly string[] {
  if (startMode !== 'snapstart') return [];
  return [
    ...(delivery === 'mount' ? ['snapstart allows no mounted file system'] : []),
    ...(ephemeralMiB > snapshotMostMiB
      ? [`snapstart allows ${snapshotMostMiB} MiB of ephemeral storage, and ${ephemeralMiB} MiB are needed`]
      : []),
  ];
}
