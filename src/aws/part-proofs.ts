import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type FileCrc32, printCrc32 } from '../lib/crc32.js';

/** How a stored part or object differs from what was sent; `part` counts from 1, null for the whole. */
export type StoredDifference = {
  readonly part: number | null;
  /** What was compared, such as `CRC32`. */
  readonly measure: string;
  readonly expected: string;
  readonly seen: string;
};

/** What a server says of a part, or of an object, that it has stored. */
export type StoredAnswer = {
  readonly ETag?: string | undefined;
  readonly ChecksumCRC32?: string | undefined;
};

type SentPart = { readonly etag: string; readonly md5: string | null };

/**
 * Remembers what was sent in each part and what the server said of it. A server that returns checksums is compared by
 * them; of others the ETag of a part is the MD5 of its bytes, unless the store encrypts.
 */
export class PartProofs {
  readonly #crc32: FileCrc32;
  readonly #sent = new Map<number, SentPart>();

  /** @param crc32 - Checksums of the file that is sent, by parts. */
  constructor(crc32: FileCrc32) {
    this.#crc32 = crc32;
  }

  /** CRC32 of the whole, base64. */
  get whole(): string {
    return printCrc32(this.#crc32.whole);
  }

  /**
   * @param part - Counts from 1.
   * @returns CRC32 of a part, base64.
   */
  crc32Of(part: number): string {
    const value = this.#crc32.parts[part - 1];
    if (value === undefined) throw new Error(`the file has no part ${part}`);
    return printCrc32(value);
  }

  /**
   * Takes note of a part that the server has acknowledged.
   *
   * @param part - Counts from 1.
   * @param bytes - What was sent.
   * @param answer - What the server said.
   * @returns How they differ by the checksum that came back, if they do.
   */
  note(part: number, bytes: Uint8Array, answer: StoredAnswer): StoredDifference | undefined {
    const { ETag: etag = '', ChecksumCRC32: seen } = answer;
    // MD5 costs as much as everything else together: it is computed only where no checksum came back.
    const md5 = seen === undefined ? createHash('md5').update(bytes).digest('hex') : null;
    this.#sent.set(part, { etag: etag.replaceAll('"', ''), md5 });
    const expected = this.crc32Of(part);
    return seen === undefined || seen === expected ? undefined : { part, measure: 'CRC32', expected, seen };
  }

  /**
   * Looks for a part whose ETag is not the MD5 of what was sent while those of others are. When no ETag is an MD5, the
   * store makes them another way (KMS), and they say nothing.
   *
   * @returns The first such part.
   */
  findDamagedPart(): StoredDifference | undefined {
    const compared = [...this.#sent].filter(([, { md5 }]) => md5 !== null).sort(([a], [b]) => a - b);
    if (!compared.some(([, { etag, md5 }]) => etag === md5)) return undefined;
    const damaged = compared.find(([, { etag, md5 }]) => etag !== md5);
    if (damaged === undefined) return undefined;
    const [part, { etag, md5 }] = damaged;
    return { part, measure: 'MD5 (ETag)', expected: md5 ?? '', seen: etag };
  }

  /**
   * Compares an object with what was sent, by whatever the server gives for it.
   *
   * @param answer - What it said when the object was complete, or later.
   * @returns `same` or how it differs; undefined when the answer proves nothing.
   */
  compare(answer: StoredAnswer): 'same' | StoredDifference | undefined {
    const { ChecksumCRC32: seen, ETag: etag } = answer;
    if (seen !== undefined) {
      const expected = seen.includes('-') ? this.#composite() : this.whole;
      return seen === expected ? 'same' : { part: null, measure: 'CRC32', expected, seen };
    }
    const expected = this.#expectedEtag();
    return expected !== undefined && expected === etag?.replaceAll('"', '') ? 'same' : undefined;
  }

  /** What a server gives that keeps the checksums of parts only: the CRC32 of their CRC32s. */
  #composite(): string {
    const { parts } = this.#crc32;
    const joined = Buffer.concat(parts.map((part) => Buffer.from(printCrc32(part), 'base64')));
    return `${printCrc32(crc32(joined))}-${parts.length}`;
  }

  /** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html (ETag) */
  #expectedEtag(): string | undefined {
    const parts = [...this.#sent].sort(([a], [b]) => a - b).map(([, sent]) => sent);
    if (parts.length === 0 || parts.some(({ etag, md5 }) => md5 === null || etag !== md5)) return undefined;
    const [only] = parts;
    if (this.#crc32.parts.length === 1) return only?.md5 ?? undefined;
    const joined = Buffer.concat(parts.map(({ md5 }) => Buffer.from(md5 ?? '', 'hex')));
    return `${createHash('md5').update(joined).digest('hex')}-${parts.length}`;
  }
}
