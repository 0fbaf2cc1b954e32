import { dirname, join } from 'node:path';
import { makeFolder } from '../lib/make-folder.js';
import type { ArtifactFile } from './artifact-record.js';
import { type DownloadSettings, downloadObjects } from './download.js';
import { openFileTarget, type StartHash } from './download-target.js';

/** Files of a store that become those of a folder. */
export type FolderDownload = DownloadSettings & {
  readonly files: readonly ArtifactFile[];
  /** What comes before a file's path in its key: empty, or with a final `/`. */
  readonly keyPrefix: string;
  /** A folder that only this process knows; whoever made it removes it when the download fails. */
  readonly folder: string;
  readonly startHash: StartHash;
  /** Whether the files are flushed to the device. */
  readonly isFlushed: boolean;
};

/**
 * Downloads files into a folder, side by side, each verified.
 *
 * @param download - What, from where, and where to.
 * @throws What `downloadObjects` throws, the file system's own errors.
 */
export async function downloadFolder(download: FolderDownload): Promise<void> {
  const { files, keyPrefix, folder, partSizeBytes, startHash, isFlushed } = download;
  const objects = files.map(({ path, sizeBytes, sha256 }) => ({
    key: keyPrefix + path,
    sizeBytes,
    sha256,
    open: async () => {
      const target = join(folder, path);
      await makeFolder(dirname(target));
      return openFileTarget({ path: target, sizeBytes, partSizeBytes, startHash, isFlushed });
    },
  }));
  await downloadObjects(objects, download);
}
