import { printJson } from '../lib/json.js';
import { cleanUpMs } from './delay-stop.js';
import type { ModelPlace } from './model-place.js';
import type { Move } from './move-current.js';
import { type ReplacedCurrent, readCurrent } from './read-current.js';
import { hasCode } from './read-document.js';
import { refuseIfPruned } from './refuse-unless-staged.js';
import { restoreDocument } from './restore-document.js';
import { writeDocument } from './write-document.js';

/** How often moving back is tried. */
const mostAttempts = 5;

/**
 * Looks, after `current.json` was moved to a release, whether its document is still there. Whoever prunes releases
 * removes a document and then looks at `current.json`; here it is the other way round, so that one of the two puts back
 * a document that is needed again. Objects that only it named may be gone by then: the move is undone.
 *
 * @param move - The move that was made.
 * @throws `publish-not-staged` when the move had to be undone.
 */
export async function keepReleaseThere(move: Move): Promise<void> {
  const { place, to, from } = move;
  const signal = AbortSignal.timeout(cleanUpMs);
  // The move is made: that this look fails changes nothing about it.
  const found = await place.store.head(to.key, signal).catch(() => 'not known' as const);
  if (found !== undefined) return;
  await restoreDocument(place, to.key, to.bytes, signal);
  try {
    await refuseIfPruned(place, to.record.artifacts, signal);
  } catch (error) {
    if (hasCode(error, 'publish-not-staged')) await moveBack(place, to.record.release, from, signal);
    throw error;
  }
}

/** Somebody else may move it again at the same time: then it is theirs. A conflict with nobody is tried again. */
async function moveBack(
  place: ModelPlace,
  release: string,
  from: ReplacedCurrent | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { current } = place.keys;
  for (let attempt = 1; ; attempt += 1) {
    const ours = await readCurrent(place, signal);
    if (ours?.record.release !== release) return;
    if (from === undefined) return place.store.remove(current, signal);
    const bytes = from.record === null ? from.bytes : Buffer.from(`${printJson(from.record)}\n`);
    try {
      await writeDocument(place, current, bytes, { ifEtag: ours.etag }, signal);
      return;
    } catch (error) {
      if (!hasCode(error, 'write-conflict') || attempt === mostAttempts) throw error;
    }
  }
}
