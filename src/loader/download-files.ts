import type { ArtifactFile } from '../store/artifact-record.js';
import type { DownloadRequest } from '../store/download.js';
import type { ArtifactChoice } from './choose-artifact.js';
import type { ResolvedOpenOptions } from './open-options.js';

/**
 * Downloads all files of an artifact side by side, so that small ones hide behind the large one.
 *
 * @param choice - The artifact.
 * @param options - Part size and requests at a time, per file.
 * @param download - Downloads one file; the first failure stops the others.
 * @returns What `download` returned, in the order of the record.
 * @throws The first failure, after every other download has ended.
 */
export async function downloadFiles<T>(
  choice: ArtifactChoice,
  options: ResolvedOpenOptions,
  download: (file: ArtifactFile, how: DownloadRequest) => Promise<T>,
): Promise<T[]> {
  const stop = new AbortController();
  const failures: unknown[] = [];
  const ended = await Promise.all(
    choice.record.files.map((file) =>
      download(file, describeDownload(choice, options, file, stop.signal)).catch((error: unknown) => {
        failures.push(error);
        stop.abort();
        return undefined;
      }),
    ),
  );
  if (failures.length > 0) throw failures[0];
  return ended as T[];
}

function describeDownload(
  choice: ArtifactChoice,
  options: ResolvedOpenOptions,
  file: ArtifactFile,
  signal: AbortSignal,
): DownloadRequest {
  return {
    store: choice.store,
    key: choice.keyPrefix + file.path,
    sizeBytes: file.sizeBytes,
    sha256: file.sha256,
    partSizeBytes: options.partSizeBytes,
    concurrency: options.concurrency,
    signal,
    onProgress: () => undefined,
  };
}
