import { OptimiseModelError } from '../messages/error.js';
import { artifactRecordName } from './artifact-record.js';

/** Where things are below one model's name in a store. */
export type StagedKeys = {
  readonly current: string;
  /** @returns Key of one release document. */
  readonly release: (release: string) => string;
  /** @returns Key of one file of an artifact. */
  readonly object: (digest: string, path: string) => string;
  /** @returns Key of an artifact's `artifact.json`. */
  readonly artifact: (digest: string) => string;
  /** Prefix of all release documents, with its final `/`. */
  readonly releasesPrefix: string;
  /** Prefix of all artifacts, with its final `/`. */
  readonly objectsPrefix: string;
};

/**
 * Lays out the keys of one model.
 *
 * @param name - The model's name in the store; empty when the store's root is the model's own folder.
 * @returns Its keys.
 * @throws `name-wrong` when it is not one plain name.
 */
export function stagedKeys(name: string): StagedKeys {
  if (!/^([A-Za-z0-9][A-Za-z0-9._-]*)?$/.test(name)) throw OptimiseModelError.of('name-wrong', { name });
  const base = name === '' ? '' : `${name}/`;
  const object = (digest: string, path: string): string => `${base}objects/${digest}/${path}`;
  return {
    current: `${base}current.json`,
    release: (release) => `${base}releases/${release}.json`,
    object,
    artifact: (digest) => object(digest, artifactRecordName),
    releasesPrefix: `${base}releases/`,
    objectsPrefix: `${base}objects/`,
  };
}

/** What a key names in the staged layout, and the model's name before it (empty when there is none). */
export type StagedPlace =
  | { readonly kind: 'current'; readonly name: string }
  | { readonly kind: 'release'; readonly name: string; readonly release: string }
  | { readonly kind: 'object'; readonly name: string; readonly digest: string; readonly path: string };

const tail =
  /(?:^|\/)(?:([A-Za-z0-9][A-Za-z0-9._-]*)\/)?(?:(current)\.json|releases\/([A-Za-z0-9][A-Za-z0-9._-]*)\.json|objects\/([0-9a-f]{64})\/(.+))$/;

/**
 * Recognises a place of the staged layout at the end of a path.
 *
 * @param path - A key, or the path of an address; everything before the model's name is the store.
 * @returns The place and how many characters of `path` come before it; undefined for any other path.
 */
export function findStagedPlace(
  path: string,
): { readonly place: StagedPlace; readonly storeLength: number } | undefined {
  const match = tail.exec(path);
  if (match === null) return undefined;
  const [whole, name = '', current, release, digest, file] = match;
  const storeLength = match.index + (whole.startsWith('/') ? 1 : 0);
  if (current !== undefined) return { place: { kind: 'current', name }, storeLength };
  if (release !== undefined) return { place: { kind: 'release', name, release }, storeLength };
  if (digest === undefined || file === undefined) return undefined;
  return { place: { kind: 'object', name, digest, path: file }, storeLength };
}
