import { OptimiseModelError } from '../messages/error.js';

/** The version of one object that a download began with: whatever arrives later must be of the same one. */
export class VersionPin {
  #etag: string | undefined;

  /** What the first answer said; undefined before there was one, or where the server does not say. */
  get etag(): string | undefined {
    return this.#etag;
  }

  /**
   * Takes note of the version of an answer.
   *
   * @param etag - Its ETag; empty when it has none.
   * @param url - The object, for the message.
   * @throws `object-changed` when an earlier answer was of another version.
   */
  hold(etag: string, url: string): void {
    if (etag === '') return;
    this.#etag ??= etag;
    if (this.#etag !== etag) throw objectChanged(url, this.#etag, etag);
  }
}

/**
 * Makes the error of an object that was overwritten while it was read.
 *
 * @param url - The object.
 * @param expected - ETag of the version that the reading began with.
 * @param seen - What is there now.
 * @returns The error.
 */
export function objectChanged(url: string, expected: string, seen: string): OptimiseModelError {
  return OptimiseModelError.of('object-changed', { url, expected, seen });
}
