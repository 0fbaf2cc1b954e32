import { type BodyLength, type BodyReader, readBody } from './body-length.js';

/** Some bytes of a connection, as they came; all pieces together are the whole of it. */
export type Piece = {
  readonly bytes: Buffer;
  /** The head of a message, which these bytes are; null for those of a body. */
  readonly head: string | null;
  /** Whether the message ends with them. */
  readonly isEnd: boolean;
};

/** Beyond this it is no head, and is passed on unread. */
const mostHeadBytes = 256 * 1024;
const headEnd = '\r\n\r\n';

/**
 * Finds where the messages of one direction of an HTTP/1.1 connection begin and end; it changes and loses no byte.
 *
 * @param lengthOf - Tells from a message's head how long its body is.
 * @returns A function that takes bytes as they come and gives back the pieces that are known by now. The beginning of a
 *   head waits for its end.
 */
export function makeFramer(lengthOf: (head: string) => BodyLength): (bytes: Buffer) => Piece[] {
  let held: Buffer = Buffer.alloc(0);
  let body: BodyReader | null = null;
  /** Returns how many of the bytes it has used up. */
  const readHead = (bytes: Buffer, fromIndex: number, pieces: Piece[]): number => {
    const known = held.length;
    held = Buffer.concat([held, bytes.subarray(fromIndex)]);
    const end = held.indexOf(headEnd, Math.max(0, known - headEnd.length));
    if (end < 0 && held.length <= mostHeadBytes) return bytes.length;
    const size = end < 0 ? held.length : end + headEnd.length;
    const head = end < 0 ? null : held.toString('latin1', 0, size);
    const length: BodyLength = head === null ? { kind: 'rest' } : lengthOf(head);
    const isEnd = length.kind === 'bytes' && length.sizeBytes === 0;
    body = isEnd ? null : readBody(length);
    pieces.push({ bytes: held.subarray(0, size), head, isEnd });
    held = Buffer.alloc(0);
    return fromIndex + size - known;
  };
  return (bytes) => {
    const pieces: Piece[] = [];
    let index = 0;
    while (index < bytes.length) {
      if (body === null) {
        index = readHead(bytes, index, pieces);
        continue;
      }
      const { toIndex, isEnd } = body(bytes, index);
      pieces.push({ bytes: bytes.subarray(index, toIndex), head: null, isEnd });
      index = toIndex;
      if (isEnd) body = null;
    }
    return pieces;
  };
}
