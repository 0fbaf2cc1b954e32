import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { showAddress } from '../lib/show-address.js';
import { OptimiseModelError } from '../messages/error.js';
import { findStagedPlace } from './staged-layout.js';
import { problemWithPath } from './store-key.js';

/** An address of a store, taken apart; `url` is its canonical form without a final slash. */
export type StoreAddress =
  | { readonly kind: 's3'; readonly url: string; readonly bucket: string; readonly prefix: string }
  | { readonly kind: 'http'; readonly url: string }
  | { readonly kind: 'directory'; readonly url: string };

/**
 * Takes the address of a store apart.
 *
 * @param url - `s3://bucket/prefix`, `http(s)://…`, `file://…` or a folder, relative to the working directory.
 * @returns What kind it is, with a canonical address.
 * @throws `store-url-wrong`; its message holds no password and no query of the address.
 */
export function parseStoreUrl(url: string): StoreAddress {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined) return { kind: 'directory', url: resolve(checkPath(url)) };
  if (scheme === 's3') return parseS3(url);
  if (scheme === 'http' || scheme === 'https') return parseHttp(url);
  if (scheme === 'file') return { kind: 'directory', url: resolve(fromFileUrl(url)) };
  return refuse(url, `${scheme}:// is not supported`);
}

function checkPath(path: string): string {
  if (path === '') refuse(path, 'it is empty');
  const scheme = /^(https?|s3|file):\/?/i.exec(path)?.[0];
  // Taken for a folder, it would be named with whatever secret is in it.
  if (scheme !== undefined) {
    const meant = `${scheme.replace(/\W*$/, '')}://`;
    const shown = showAddress(meant + path.slice(scheme.length)).slice(meant.length);
    refuseShown(scheme + shown, 'its scheme lacks `//`');
  }
  return path;
}

function parseS3(url: string): StoreAddress {
  const [bucket = '', ...names] = url.slice('s3://'.length).replace(/\/+$/, '').split('/');
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/.test(bucket)) refuse(url, 'the bucket name is missing or wrong');
  // Our keys have none, and a signature in it would end up wherever keys are named.
  if (url.includes('?')) refuse(url, 'it has a query');
  const prefix = names.join('/');
  const problem = prefix === '' ? undefined : problemWithPath(prefix);
  if (problem !== undefined) refuse(url, `its prefix is not possible: ${problem}`);
  return { kind: 's3', url: `s3://${[bucket, ...names].join('/')}`, bucket, prefix };
}

function parseHttp(url: string): StoreAddress {
  if (!URL.canParse(url)) refuse(url, 'it cannot be parsed');
  const parsed = new URL(url);
  if (parsed.username !== '' || parsed.password !== '') refuse(url, 'it holds a user name or password');
  // Every file of an artifact lies beside the others; a signature in a query is good for one of them only.
  if (parsed.search !== '' || parsed.hash !== '') refuse(url, 'it has a query or a fragment');
  return { kind: 'http', url: `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, '') };
}

function fromFileUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    return refuse(url, 'it is not a file of this machine', cause);
  }
}

function refuse(url: string, problem: string, cause?: unknown): never {
  return refuseShown(showAddress(url), problem, cause);
}

function refuseShown(url: string, problem: string, cause?: unknown): never {
  throw OptimiseModelError.of('store-url-wrong', { url, problem }, cause);
}

/** An object's address: the store it is in and its key there. */
export type ObjectAddress = { readonly storeUrl: string; readonly key: string };

/**
 * Splits the address of an object. In the staged layout the store is what comes before the model's name, so that
 * everything a document names can be reached from it; anywhere else it is the folder of the object.
 *
 * @param url - Address of an object, such as `s3://bucket/models/vit/current.json`.
 * @returns The store's address and the object's key.
 * @throws `store-url-wrong` when it names no object.
 */
export function splitObjectUrl(url: string): ObjectAddress {
  const address = parseStoreUrl(url);
  const root = rootOf(address);
  const path = address.url.slice(root.length).replace(/^\//, '');
  if (path === '') refuse(url, 'it names no object');
  const length = findStagedPlace(path)?.storeLength ?? path.lastIndexOf('/') + 1;
  const folder = path.slice(0, length).replace(/\/$/, '');
  const storeUrl = folder === '' ? root : `${root.replace(/\/$/, '')}/${folder}`;
  const key = path.slice(length);
  return { storeUrl, key: address.kind === 'http' ? decode(key, url) : key };
}

function decode(key: string, url: string): string {
  try {
    return decodeURIComponent(key);
  } catch (cause) {
    return refuse(url, 'its percent signs cannot be decoded', cause);
  }
}

function rootOf(address: StoreAddress): string {
  if (address.kind === 's3') return `s3://${address.bucket}`;
  if (address.kind === 'http') return new URL(address.url).origin;
  return resolve(dirname(address.url), '/');
}

/**
 * Writes the address of an object of a store.
 *
 * @param storeUrl - The store's canonical address.
 * @param key - The object's key.
 * @returns The address, in the form that {@link splitObjectUrl} takes.
 */
export function objectUrl(storeUrl: string, key: string): string {
  const path = /^https?:/.test(storeUrl) ? key.split('/').map(encodeURIComponent).join('/') : key;
  return `${storeUrl.replace(/\/$/, '')}/${path}`;
}
