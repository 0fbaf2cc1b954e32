import { inflateLiterals } from '../../store/artifact-expansion.js';
import type { ArtifactRecord } from '../../store/artifact-record.js';
import { type DownloadSettings, downloadObjects } from '../../store/download.js';
import type { DownloadTarget } from '../../store/download-target.js';
import { RecordReader } from '../../store/record-fields.js';
import { objectUrl } from '../../store/store-url.js';
import { makeExpandedFiles } from './expanded-files.js';
import { ExpandingWriter } from './expanding-writer.js';
import { indexSourceUses, type SourceUses } from './source-uses.js';
import { type HashWindow, WindowHash } from './window-hash.js';

/** An artifact that becomes the files of its expanded model. */
export type ExpandedDownload = DownloadSettings & {
  readonly record: ArtifactRecord;
  /** What comes before a file's path in its key: empty, or with a final `/`. */
  readonly keyPrefix: string;
  /** An empty folder; whoever made it removes it when the download fails. */
  readonly folder: string;
  /** Expanded files that fit into so much, all together, are written as a whole at the end. */
  readonly memoryBytes: number;
  /** How many parts may be on their way or wait in memory for those before them until they can be hashed, ≥ 1. */
  readonly windowParts: number;
};

/**
 * Downloads an artifact and writes the files of its expanded model while its bytes arrive; its own files, which are what
 * has a SHA-256, are verified on the way and written nowhere.
 *
 * @param download - What, from where, and where to.
 * @throws What `downloadObjects` throws, `record-wrong`, the file system's own errors: what was written must not be used then.
 */
export async function downloadExpanded(download: ExpandedDownload): Promise<void> {
  const { record, keyPrefix, store, partSizeBytes, windowParts } = download;
  const { files, expansion } = record;
  const reader = new RecordReader(objectUrl(store.url, `${keyPrefix}artifact.json`));
  const expanded = await makeExpandedFiles(expansion, inflateLiterals(expansion, reader), download);
  try {
    const writer = new ExpandingWriter(expanded);
    const uses = indexSourceUses(expansion, files.length);
    const objects = files.map(({ path, sizeBytes, sha256 }, index) => ({
      ...{ key: keyPrefix + path, sizeBytes, sha256 },
      open: async (signal: AbortSignal) =>
        expandingTarget(writer, uses[index], { sizeBytes, partSizeBytes, windowParts, signal }),
    }));
    await downloadObjects(objects, download);
    await expanded.finish();
  } finally {
    await expanded.close();
  }
}

function expandingTarget(
  writer: ExpandingWriter,
  uses: SourceUses | undefined,
  window: HashWindow,
): DownloadTarget {
  const hash = new WindowHash(window);
  return {
    ready: (offset) => hash.ready(offset),
    write: (offset, chunk) => {
      if (uses !== undefined) writer.write(uses, offset, chunk);
      hash.add(offset, chunk);
    },
    digest: async () => hash.digest(),
    keep: async () => undefined,
    close: async () => undefined,
  };
}
