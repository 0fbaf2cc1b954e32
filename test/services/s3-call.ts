import type { IncomingMessage } from 'node:http';

/** One request to an S3 server, by what it asks for. */
export type S3Call = {
  readonly bucket: string;
  /** The object's key; empty when the request is about the bucket. */
  readonly key: string;
  /**
   * `create`, `part N`, `complete`, `abort`, `list-parts`, `list-uploads`, `put`, `put-document`, `head`, `get`,
   * `get-range`, `list`, `delete`, or the method with the query for anything else.
   */
  readonly name: string;
  /** How many requests of this name the bucket has seen, this one included. */
  readonly count: number;
};

/**
 * Reads what a request asks for.
 *
 * @param request - As it arrived, addressed by path.
 * @returns The call, without its running number.
 */
export function nameS3Call(request: IncomingMessage): Omit<S3Call, 'count'> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://proxy');
  const [, bucket = '', ...rest] = pathname.split('/');
  const key = decodeURIComponent(rest.join('/'));
  const place = key === '' ? nameBucketCall : nameObjectCall;
  return { bucket, key, name: place(request, searchParams, key) };
}

function nameBucketCall({ method }: IncomingMessage, query: URLSearchParams): string {
  if (method === 'GET' && query.has('uploads')) return 'list-uploads';
  if (method === 'GET' && (query.has('list-type') || query.size === 0)) return 'list';
  if (method === 'POST' && query.has('delete')) return 'delete';
  return `${method} bucket ${[...query.keys()].join(' ')}`.trim();
}

function nameObjectCall(request: IncomingMessage, query: URLSearchParams, key: string): string {
  switch (request.method) {
    case 'POST':
      return query.has('uploads') ? 'create' : 'complete';
    case 'PUT':
      if (query.has('partNumber')) return `part ${query.get('partNumber')}`;
      return key.endsWith('.json') ? 'put-document' : 'put';
    case 'DELETE':
      return query.has('uploadId') ? 'abort' : 'delete';
    case 'GET':
      if (query.has('uploadId')) return 'list-parts';
      return request.headers.range === undefined ? 'get' : 'get-range';
    default:
      return String(request.method).toLowerCase();
  }
}
