/** The head of an answer over HTTP/1.1. */
export type ResponseHead = {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where the body begins in the bytes that were read. */
  readonly bodyStart: number;
};

const blankLine = Buffer.from('\r\n\r\n');

/**
 * Reads the head of an answer.
 *
 * @param bytes - What has arrived so far, from the status line on.
 * @returns The head; undefined while it is not whole; `'malformed'` when it is none of HTTP/1.1.
 * @see https://www.rfc-editor.org/rfc/rfc9112
 */
export function parseResponseHead(bytes: Buffer): ResponseHead | 'malformed' | undefined {
  const end = bytes.indexOf(blankLine);
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3})(?: |$)/.exec(statusLine)?.[1];
  if (status === undefined) return 'malformed';
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return 'malformed';
    const key = name.toLowerCase();
    // Two lengths that differ are how requests are smuggled past a proxy.
    if (key === 'content-length' && (headers[key] ?? value) !== value) return 'malformed';
    headers[key] = key in headers && key !== 'content-length' ? `${headers[key]}, ${value}` : value;
  }
  return { status: Number(status), headers, bodyStart: end + blankLine.length };
}

/**
 * Tells how long the body of an answer is that says so itself.
 *
 * @param head - The head.
 * @returns Bytes; undefined for a body in chunks, or one that ends with the connection.
 */
export function bodyLengthOf({ headers }: ResponseHead): number | undefined {
  const length = headers['content-length'];
  if (length === undefined || !/^\d{1,15}$/.test(length)) return undefined;
  return headers['transfer-encoding'] === undefined ? Number(length) : undefined;
}
