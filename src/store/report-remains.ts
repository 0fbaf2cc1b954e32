import { type Finding, makeFinding } from '../messages/finding.js';
import type { UploadSweep } from './store.js';

/**
 * Says which parts of multipart uploads could not be removed.
 *
 * @param storeUrl - The store.
 * @param sweep - What there was to sweep in it.
 * @returns `uploads-left`, or nothing when nothing remains.
 */
export function reportRemains(storeUrl: string, { abandoned }: UploadSweep): readonly Finding[] {
  const left = abandoned.filter(({ refusal }) => refusal !== null);
  if (left.length === 0) return [];
  const uploads = left.map(({ url, uploadId, refusal }) => `upload ${uploadId} of ${url} (${refusal})`);
  return [makeFinding('warning', 'uploads-left', { storeUrl, uploads })];
}
