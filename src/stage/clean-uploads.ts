import type { ObjectSettings } from '../lib/object-settings.js';
import { quietContext, type WorkContext } from '../lib/work-context.js';
import type { Finding } from '../messages/finding.js';
import { openStore } from '../store/open-store.js';
import { stagedKeys } from '../store/staged-layout.js';
import type { UploadSweep } from '../store/store.js';
import { sweepInterrupted } from './sweep-interrupted.js';

/** Where interrupted uploads are looked for. */
export type CleanOptions = {
  /** Address of the store. */
  readonly to: string;
  /** Only below one model's name; null for the whole store. */
  readonly name: string | null;
  /** How old an upload must be that no journal on this machine knows, ms. */
  readonly graceMs: number;
  /** Only tells what would be done. */
  readonly isDryRun: boolean;
  readonly settings: ObjectSettings;
};

/** What was cleaned. */
export type CleanResult = UploadSweep & {
  readonly storeUrl: string;
  readonly name: string | null;
  readonly isDryRun: boolean;
  readonly findings: readonly Finding[];
};

/**
 * Removes the parts of multipart uploads that nobody will complete, without staging anything.
 *
 * @param options - Where, and how old an unknown upload must be.
 * @param context - Stops the work.
 * @returns What was removed, what remains. Where `listRefusal` is set, only what this machine's journal knows was looked at.
 * @throws `name-wrong`, `store-url-wrong`, `s3-unreachable` and the other errors of the list.
 */
export async function cleanUploads(
  { to, name, graceMs, isDryRun, settings }: CleanOptions,
  context: WorkContext = quietContext(),
): Promise<CleanResult> {
  if (name !== null) stagedKeys(name);
  const store = await openStore(to, settings);
  const prefix = name === null ? '' : `${name}/`;
  const how = { graceMs, lists: true, isDryRun };
  const { sweep, findings } = await sweepInterrupted(store, prefix, how, context.signal);
  return { storeUrl: store.url, name, isDryRun, ...sweep, findings };
}
