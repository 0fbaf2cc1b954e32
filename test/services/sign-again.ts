import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { crc32 } from 'node:zlib';

/** A request whose signature no longer fits. */
export type ChangedRequest = {
  readonly method: string;
  /** Path and query as they go over the wire. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
};

/**
 * Makes checksums in the headers of a request fit another body, so that the server stores it without suspicion.
 *
 * @param headers - As the client sent them.
 * @param body - What is sent instead.
 * @returns The headers, still to be signed again.
 */
export function fitChecksums(headers: IncomingHttpHeaders, body: Buffer): IncomingHttpHeaders {
  const sums: Readonly<Record<string, (sent: string) => string>> = {
    'x-amz-content-sha256': (sent) => (/^[0-9a-f]{64}$/.test(sent) ? sha256(body) : sent),
    'x-amz-checksum-crc32': () => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(crc32(body));
      return bytes.toString('base64');
    },
    'content-md5': () => createHash('md5').update(body).digest('base64'),
  };
  const fitting = Object.entries(sums).filter(([name]) => headers[name] !== undefined);
  return {
    ...headers,
    ...Object.fromEntries(fitting.map(([name, sum]) => [name, sum(String(headers[name]))])),
  };
}

/**
 * Signs a request again as the client would have, with the headers that it had signed.
 *
 * @param request - With the `authorization` of the client, whose scope and list of headers are kept.
 * @param secretAccessKey - The client's.
 * @returns The headers with a signature that fits.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function signAgain(request: ChangedRequest, secretAccessKey: string): IncomingHttpHeaders {
  const { method, path, headers } = request;
  const found = /Credential=([^/]+)\/\d+\/([^,]+), *SignedHeaders=([^,]+)/.exec(headers.authorization ?? '');
  const [, keyId = '', where = '', signed = ''] = found ?? [];
  const time = String(headers['x-amz-date']);
  const scope = `${time.slice(0, 8)}/${where}`;
  const [pathname = '', query = ''] = path.split('?');
  const canonical = [
    method,
    pathname,
    canonicalQuery(query),
    ...signed.split(';').map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    signed,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const key = scope
    .split('/')
    .reduce<string | Buffer>((last, next) => hmac(last, next), `AWS4${secretAccessKey}`);
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const signature = hmac(key, text).toString('hex');
  const credential = `Credential=${keyId}/${scope}`;
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${signed}, Signature=${signature}`,
  };
}

function canonicalQuery(query: string): string {
  if (query === '') return '';
  const pairs = query.split('&').map((pair) => (pair.includes('=') ? pair : `${pair}=`));
  return pairs.sort().join('&');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
