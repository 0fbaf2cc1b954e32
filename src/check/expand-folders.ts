import { access, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Finding, makeFinding } from '../messages/finding.js';
import { artifactRecordName } from '../store/artifact-record.js';

/** Paths to check, and what stands for the folders among them that hold nothing but artifacts. */
export type ExpandedPaths = {
  readonly paths: readonly string[];
  /** The artifacts of each folder that was expanded, by its absolute path. */
  readonly artifactsOf: ReadonlyMap<string, readonly string[]>;
  readonly findings: readonly Finding[];
};

/**
 * Takes the artifacts in a folder of artifacts for what is to be checked: they are alternatives, of which one is
 * shipped, so that their sum means nothing. A folder with anything else in it is a package, and stays whole.
 *
 * @param paths - As they were given.
 * @returns The paths to check; a path that is not there is left for who measures it.
 */
export async function expandFolders(paths: readonly string[]): Promise<ExpandedPaths> {
  const artifactsOf = new Map<string, readonly string[]>();
  const findings: Finding[] = [];
  const expanded: string[] = [];
  for (const path of paths) {
    const artifacts = await listArtifacts(path);
    expanded.push(...(artifacts.length === 0 ? [path] : artifacts));
    if (artifacts.length === 0 || artifactsOf.has(resolve(path))) continue;
    artifactsOf.set(resolve(path), artifacts);
    findings.push(makeFinding('info', 'folder-of-artifacts', { path, artifacts }));
  }
  return { paths: expanded, artifactsOf, findings };
}

/**
 * Lets a requirement that names an expanded folder mean each artifact in it.
 *
 * @param name - `PATH`, `PATH:DELIVERY` or something else.
 * @param artifactsOf - What was expanded.
 * @returns The names to require; the same one when it names no such folder.
 */
export function expandRequired(name: string, artifactsOf: ExpandedPaths['artifactsOf']): readonly string[] {
  const whole = artifactsOf.get(resolve(name));
  if (whole !== undefined) return whole;
  const colon = name.lastIndexOf(':');
  const artifacts = colon < 0 ? undefined : artifactsOf.get(resolve(name.slice(0, colon)));
  return artifacts?.map((path) => `${path}${name.slice(colon)}`) ?? [name];
}

async function listArtifacts(path: string): Promise<readonly string[]> {
  const isFolder = await stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (!isFolder || (await hasRecord(path))) return [];
  // What begins with a dot is the file manager's, or on its way to its own name.
  const names = (await readdir(path)).filter((name) => !name.startsWith('.'));
  const children = names.sort().map((name) => join(path, name));
  const artifacts = await Promise.all(children.map(hasRecord));
  return artifacts.length > 0 && artifacts.every(Boolean) ? children : [];
}

function hasRecord(folder: string): Promise<boolean> {
  return access(join(folder, artifactRecordName)).then(
    () => true,
    () => false,
  );
}
