import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import {
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { printCrc32 } from '../../src/lib/crc32.js';
import { hashBytes } from '../../src/lib/sha256.js';
import type { ArtifactRecord } from '../../src/store/artifact-record.js';
import { releaseOf } from '../fixtures/opaque-release.js';
import { clientOf } from '../services/client-of.js';
import type { RunningS3 } from '../services/versitygw.mjs';

/** What a bucket holds, seen without any code of ours. */
export type Survey = {
  /** The release that `current.json` names; null without one. */
  readonly current: string | null;
  /** Digests of the artifacts that have an `artifact.json`. */
  readonly recorded: readonly string[];
  readonly releases: readonly string[];
  /** Everything that a document names and that is not there, byte for byte. */
  readonly problems: readonly string[];
  /** Multipart uploads that were begun and neither completed nor aborted. */
  readonly openUploads: number;
};

type Named = { readonly path: string; readonly sha256: string };
type Content = { readonly sha256: string; readonly text: string };

/** A bucket behind the proxy, and the release that lies in it from before. */
export class PlainStore {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #base: string;

  /**
   * @param s3 - The server.
   * @param bucket - Its bucket.
   * @param base - Prefix of the model, with its final `/`.
   */
  constructor(s3: RunningS3, bucket: string, base: string) {
    this.#client = clientOf(s3);
    this.#bucket = bucket;
    this.#base = base;
  }

  /** Puts an artifact there with its record; `as staged` with the notes by which publishing need not read it. */
  async putArtifact(record: ArtifactRecord, folder: string, how?: 'as staged'): Promise<void> {
    const put = async (path: string): Promise<void> => {
      const bytes = await readFile(join(folder, path));
      const notes = { sha256: hashBytes(bytes), crc32: printCrc32(crc32(bytes)) };
      await this.#put(`objects/${record.digest}/${path}`, bytes, how === undefined ? {} : notes);
    };
    const someAtOnce = pLimit(8);
    await Promise.all(record.files.map(({ path }) => someAtOnce(() => put(path))));
    await put('artifact.json');
  }

  /** Makes an artifact that is there the current release. */
  async putRelease(record: ArtifactRecord): Promise<string> {
    const document = releaseOf(record);
    const { name, release, createdAt: updatedAt } = document;
    const current = { schemaVersion: 1, kind: 'current', name, release, updatedAt };
    await this.#put(`releases/${release}.json`, JSON.stringify(document));
    await this.#put('current.json', JSON.stringify({ ...current, releaseKey: `releases/${release}.json` }));
    return release;
  }

  async #put(key: string, body: string | Uint8Array, notes: Record<string, string> = {}): Promise<void> {
    const place = { Bucket: this.#bucket, Key: this.#base + key };
    // With the checksum that staging asks for, as something staged by us would have.
    const what = { Body: body, ChecksumAlgorithm: 'CRC32', Metadata: notes } as const;
    await this.#client.send(new PutObjectCommand({ ...place, ...what }));
  }

  /** Reads everything and compares it with what names it. */
  async survey(): Promise<Survey> {
    const contents = await this.#readAll();
    const { Uploads: uploads = [] } = await this.#client.send(
      new ListMultipartUploadsCommand({ Bucket: this.#bucket }),
    );
    const keys = [...contents.keys()];
    const inside = (pattern: RegExp): string[] => keys.flatMap((key) => pattern.exec(key)?.[1] ?? []);
    const recorded = inside(/^objects\/([0-9a-f]{64})\/artifact\.json$/);
    const releases = inside(/^releases\/(.+)\.json$/);
    const current = contents.get('current.json');
    return {
      current: current === undefined ? null : String(parse(current.text).release),
      recorded,
      releases,
      problems: [
        ...recorded.flatMap((digest) => findArtifactProblems(contents, digest)),
        ...releases.flatMap((release) => findReleaseProblems(contents, release)),
        ...(current === undefined ? [] : findCurrentProblems(contents, current)),
      ],
      openUploads: uploads.length,
    };
  }

  async #readAll(): Promise<Map<string, Content>> {
    const Bucket = this.#bucket;
    const { Contents: listed = [] } = await this.#client.send(new ListObjectsV2Command({ Bucket }));
    const contents = new Map<string, Content>();
    for (const { Key = '' } of listed) {
      const { Body: body } = await this.#client.send(new GetObjectCommand({ Bucket, Key }));
      const bytes = (await body?.transformToByteArray()) ?? new Uint8Array();
      const text = Key.endsWith('.json') ? Buffer.from(bytes).toString() : '';
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      contents.set(Key.slice(this.#base.length), { sha256, text });
    }
    return contents;
  }
}

/** Nothing is in a document that is none. */
function parse(text = ''): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function findArtifactProblems(contents: ReadonlyMap<string, Content>, digest: string): string[] {
  const key = `objects/${digest}/artifact.json`;
  const record = parse(contents.get(key)?.text);
  if (record.digest !== digest) return [`${key} is damaged`];
  return findFileProblems(contents, digest, record.files as Named[]);
}

function findFileProblems(
  contents: ReadonlyMap<string, Content>,
  digest: string,
  files: readonly Named[],
): string[] {
  return files.flatMap(({ path, sha256 }) => {
    const found = contents.get(`objects/${digest}/${path}`);
    if (found === undefined) return [`${path} of ${digest} is missing`];
    return found.sha256 === sha256 ? [] : [`${path} of ${digest} is damaged`];
  });
}

function findReleaseProblems(contents: ReadonlyMap<string, Content>, release: string): string[] {
  const record = parse(contents.get(`releases/${release}.json`)?.text);
  if (record.release !== release) return [`releases/${release}.json is damaged`];
  const artifacts = record.artifacts as { digest: string; record: { files: Named[] } }[];
  return artifacts.flatMap(({ digest, record: { files } }) => [
    ...(contents.has(`objects/${digest}/artifact.json`) ? [] : [`${release} names ${digest}: no record`]),
    ...findFileProblems(contents, digest, files),
  ]);
}

function findCurrentProblems(contents: ReadonlyMap<string, Content>, { text }: Content): string[] {
  const { releaseKey } = parse(text);
  return contents.has(String(releaseKey)) ? [] : [`current.json names ${releaseKey}, which is not there`];
}

/**
 * Reads the content of a folder.
 *
 * @param folder - The folder; it need not exist.
 * @returns SHA-256 by path, relative to the folder.
 */
export async function hashFolder(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sums: Record<string, string> = {};
  for (const entry of entries.filter((item) => item.isFile())) {
    const path = join(entry.parentPath, entry.name);
    sums[path.slice(folder.length + 1)] = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  }
  return sums;
}
