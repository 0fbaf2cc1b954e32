import { usualSessions } from '../lib/session-options.js';
import { showAddress } from '../lib/show-address.js';
import { OptimiseModelError } from '../messages/error.js';
import { digestFiles } from '../store/artifact-record.js';
import { openHttpFile } from '../store/http-store.js';
import { parseHubAddress } from '../store/hub-address.js';
import { type HttpFile, probeHttpFile, probeHubFile } from '../store/probe-http-file.js';
import { parseStoreUrl } from '../store/store-url.js';
import type { ArtifactChoice } from './choose-artifact.js';

/**
 * Tells a bare model file on a web server or model hub from a staged artifact.
 *
 * @param source - As it was given to openModel.
 * @returns True for `http(s)://…/FILE.onnx` (a query may follow) and `hf:…/FILE.onnx`.
 */
export function isBareFile(source: string): boolean {
  return /^(https?:\/\/[^?#]*|hf:[^?#]*)\.onnx([?#]|$)/i.test(source);
}

/**
 * Makes an artifact of a bare model file: what no record says is asked of the server.
 *
 * @param source - Its address, for which {@link isBareFile} holds.
 * @param sha256 - What it must have; null takes what the hub says.
 * @returns An artifact of one file, for onnxruntime.
 * @throws `url-hash-unknown` when nobody says its SHA-256; `store-url-wrong`, `hub-address-wrong`, `object-missing`,
 *   `range-refused`, `http-failed`, `http-unreachable`.
 */
export async function chooseBareFile(source: string, sha256: string | null): Promise<ArtifactChoice> {
  const hub = parseHubAddress(source);
  const folder = hub === undefined ? folderOf(source) : source.slice(0, source.lastIndexOf('/'));
  const path = nameOf(source);
  const found: HttpFile =
    hub === undefined ? await probeHttpFile(source.replace(/#.*$/s, '')) : await probeHubFile(hub);
  const expected = sha256 ?? found.sha256;
  if (expected === null) throw OptimiseModelError.of('url-hash-unknown', { source: showAddress(source) });
  const { sizeBytes } = found;
  const files = [{ path, sizeBytes, sha256: expected }];
  const digest = digestFiles(files);
  return {
    record: { entry: path, files, digest, sizeBytes, variant: null, requires: null },
    store: openHttpFile(found.url, folder, path),
    keyPrefix: '',
    localFolder: null,
    release: null,
    sessions: usualSessions,
  };
}

/** Through the rules for every other address, but for its query, which may sign it. */
function folderOf(source: string): string {
  const { url } = parseStoreUrl(source.replace(/[?#].*$/s, ''));
  return url.slice(0, url.lastIndexOf('/'));
}

/** It becomes a file of that name; the engine goes by its ending. */
function nameOf(source: string): string {
  const name = /([^/]+)$/.exec(source.replace(/[?#].*$/s, ''))?.[1] ?? '';
  return /^[A-Za-z0-9._-]+$/.test(name) ? name : 'model.onnx';
}
