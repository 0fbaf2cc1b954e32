import { mkdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { WorkContext } from '../../lib/work-context.js';
import { OptimiseModelError } from '../../messages/error.js';
import type { OpenvinoInstallation } from '../../runtimes/openvino/find-openvino.js';
import { type ComparedConstants, compareConstants, type SavedIr } from './compare-constants.js';
import { type IrGraph, readIr } from './read-ir.js';
import { runOvc } from './run-ovc.js';

/** A model and the IR that it is to become. */
export type IrPlan = {
  readonly installation: OpenvinoInstallation;
  /** The exported model. */
  readonly modelPath: string;
  /** Where the IR goes; nothing but ours is in it. */
  readonly folder: string;
  /** What its two files are called, without `.xml` and `.bin`. */
  readonly stem: string;
  /** Whether its constants are stored as FP16. */
  readonly isHalf: boolean;
};

/** An IR that was written. */
export type MadeIr = {
  readonly xmlPath: string;
  readonly graph: IrGraph;
  /** Of OpenVINO, with its build, as the converter says it. */
  readonly converterVersion: string;
  /** What FP16 did to its constants; null where it was not asked for, or could not be found out. */
  readonly compared: ComparedConstants | null;
};

/**
 * Makes an IR of an exported model with OpenVINO's own converter. What that does to the numbers it does not say: with
 * FP16 it writes the model without it as well, for as long as the two are compared.
 *
 * @param plan - The model and where it goes.
 * @param context - Stops the work; hears of its progress.
 * @returns The IR.
 * @throws What {@link runOvc} throws; the file system's own error.
 */
export async function makeIr(plan: IrPlan, context: WorkContext): Promise<MadeIr> {
  const { installation, modelPath, stem, isHalf } = plan;
  const folder = resolve(plan.folder);
  const exactFolder = join(folder, '.fp32');
  const xmlPath = join(folder, `${stem}.xml`);
  const exactPath = join(exactFolder, `${stem}.xml`);
  if (isHalf) await mkdir(exactFolder);
  try {
    const targets = [{ path: xmlPath, isHalf }, ...(isHalf ? [{ path: exactPath, isHalf: false }] : [])];
    const job = { installation, modelPath: resolve(modelPath), folder, targets };
    const converterVersion = await runOvc(job, context);
    const { signal } = context;
    const made = await readSaved(xmlPath, signal);
    const compared = isHalf ? await compareConstants(await readSaved(exactPath, signal), made, signal) : null;
    return { xmlPath, graph: made.graph, converterVersion, compared };
  } finally {
    await rm(exactFolder, { recursive: true, force: true });
  }
}

/** A device that is full need not make its writer fail. */
async function readSaved(xmlPath: string, signal: AbortSignal): Promise<SavedIr> {
  const binPath = xmlPath.replace(/\.xml$/, '.bin');
  const graph = await readIr(xmlPath, signal);
  const neededBytes = graph.constants.reduce((end, each) => Math.max(end, each.offset + each.sizeBytes), 0);
  const { size } = await stat(binPath);
  if (size < neededBytes) {
    const reason = `it wrote ${size} of ${neededBytes} bytes of its constants`;
    throw OptimiseModelError.of('ovc-failed', { reason });
  }
  return { graph, binPath };
}
