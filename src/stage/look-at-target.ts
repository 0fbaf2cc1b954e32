import { readdir } from 'node:fs/promises';
import { OptimiseModelError } from '../messages/error.js';
import { type ArtifactSummary, artifactRecordName, verifyArtifactFolder } from '../store/artifact-record.js';
import { isMissing, translateFileSystemError } from '../store/file-system-error.js';

/**
 * Looks at the folder that an artifact is to become. Whatever else it holds is the user's and not touched.
 *
 * @param folder - The folder.
 * @param record - The artifact.
 * @param signal - Stops the hashing.
 * @returns Whether the folder is that artifact already, intact; false when it is empty or not there.
 * @throws `fetch-target-differs` when it holds anything else, or a damaged copy.
 */
export async function lookAtTarget(
  folder: string,
  record: ArtifactSummary,
  signal: AbortSignal,
): Promise<boolean> {
  const names = await listNames(folder);
  if (names.length === 0) return false;
  const refuse = (problem: string, cause?: unknown): never => {
    throw OptimiseModelError.of('fetch-target-differs', { folder, problem }, cause);
  };
  if (!names.includes(artifactRecordName)) {
    const count = names.length === 1 ? '1 file or folder' : `${names.length} files or folders`;
    refuse(`${count}, no ${artifactRecordName}`);
  }
  const found = await verifyArtifactFolder(folder, signal).catch((error: unknown) => {
    if (error instanceof OptimiseModelError) return refuse(error.message.replace(/\.$/, ''), error);
    throw error;
  });
  const { digest, variant } = found.record;
  if (digest !== record.digest) refuse(`artifact ${digest.slice(0, 12)}… (${variant.id})`);
  return true;
}

async function listNames(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') {
      throw OptimiseModelError.of('fetch-target-differs', { folder, problem: 'it is a file' }, error);
    }
    if (isMissing(error)) return [];
    throw translateFileSystemError(error, 'read', folder);
  }
}
