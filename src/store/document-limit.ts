import { OptimiseModelError } from '../messages/error.js';

const mebibyteBytes = 1024 ** 2;

/** Most bytes that a JSON document of a store may have, so that no model is read into memory as one. */
const documentLimitBytes = 16 * mebibyteBytes;

/** An `artifact.json` holds the plan of its expansion, which grows with the nodes of the model: 100,000 take some 10 MiB. */
const recordLimitBytes = 64 * mebibyteBytes;

/**
 * Refuses an object that is too large for a document.
 *
 * @param url - Its path or address; an `artifact.json` may be larger than the others.
 * @param sizeBytes - Its size.
 * @throws `document-too-large` beyond {@link recordLimitBytes} or {@link documentLimitBytes}.
 */
export function refuseTooLarge(url: string, sizeBytes: number): void {
  const limitBytes = /(^|[/\\])artifact\.json($|\?)/.test(url) ? recordLimitBytes : documentLimitBytes;
  if (sizeBytes > limitBytes)
    throw OptimiseModelError.of('document-too-large', { url, sizeBytes, limitBytes });
}
