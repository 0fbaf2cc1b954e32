import { OptimiseModelError } from '../messages/error.js';

/** Most bytes that a JSON document of a store may have, so that no model is read into memory as one. */
const documentLimitBytes = 16 * 1024 * 1024;

/**
 * Refuses an object that is too large for a document.
 *
 * @param url - Its address, for the message.
 * @param sizeBytes - Its size.
 * @throws `document-too-large` beyond {@link documentLimitBytes}.
 */
export function refuseTooLarge(url: string, sizeBytes: number): void {
  if (sizeBytes > documentLimitBytes) {
    throw OptimiseModelError.of('document-too-large', { url, sizeBytes, limitBytes: documentLimitBytes });
  }
}
