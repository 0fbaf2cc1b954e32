import { open, readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { OptimiseModelError } from '../messages/error.js';
import { type ArtifactSummary, artifactRecordName, parseArtifactSummary } from './artifact-record.js';

/** A model file that is OpenVINO's alone, and the artifact's folder that it is part of; null where no record names it. */
export type OpenvinoFile = { readonly folder: string | null };

/** The root of an IR comes right after the XML declaration. */
const headBytes = 512;

/**
 * Recognises a file that only says with its artifact's record what opens it: an IR, a blob, or what an artifact for
 * OpenVINO is opened by.
 *
 * @param path - Any path.
 * @returns What it is part of; null for any other file, and for what is no file.
 */
export async function findOpenvinoFile(path: string): Promise<OpenvinoFile | null> {
  const record = await readRecordBeside(path);
  const isPart =
    record?.variant.engine === 'openvino' && record.files.some((file) => file.path === basename(path));
  if (isPart) return { folder: dirname(path) };
  return (await isOwnFormat(path)) ? { folder: null } : null;
}

/**
 * Refuses such a file where an artifact's folder is needed.
 *
 * @param path - As it was given.
 * @throws `artifact-folder-needed` with the folder, where there is one.
 */
export async function refuseOpenvinoFile(path: string): Promise<void> {
  if (basename(path) === artifactRecordName) return;
  const found = await findOpenvinoFile(path);
  if (found !== null) throw OptimiseModelError.of('artifact-folder-needed', { path, folder: found.folder });
}

/** Files that are missing beside it are no matter here. */
async function readRecordBeside(path: string): Promise<ArtifactSummary | null> {
  const recordPath = join(dirname(path), artifactRecordName);
  try {
    return parseArtifactSummary(await readFile(recordPath, 'utf8'), recordPath);
  } catch {
    return null;
  }
}

async function isOwnFormat(path: string): Promise<boolean> {
  const extension = extname(path);
  if (extension !== '.xml' && extension !== '.blob') return false;
  const file = await open(path).catch(() => null);
  if (file === null) return false;
  try {
    if (extension === '.blob') return (await file.stat()).isFile();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.toString('latin1', 0, bytesRead).includes('<net ');
  } catch {
    return false;
  } finally {
    await file.close();
  }
}
