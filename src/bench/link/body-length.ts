/** How the end of an HTTP/1.1 message's body is told. */
export type BodyLength =
  | { readonly kind: 'bytes'; readonly sizeBytes: number }
  | { readonly kind: 'chunked' }
  /** To the end of the connection. */
  | { readonly kind: 'rest' };

/** Tells, piece by piece, how far a body reaches. */
export type BodyReader = (
  bytes: Buffer,
  fromIndex: number,
) => { readonly toIndex: number; readonly isEnd: boolean };

/** Length of the line end behind the bytes of a chunk. */
const lineEndBytes = 2;
const newline = 0x0a;

/**
 * Reads along a body without touching it.
 *
 * @param length - How its end is told.
 * @returns The reader, at the body's start.
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-6
 */
export function readBody(length: BodyLength): BodyReader {
  if (length.kind === 'bytes') return readBytes(length.sizeBytes);
  return length.kind === 'chunked' ? readChunks() : (bytes) => ({ toIndex: bytes.length, isEnd: false });
}

function readBytes(sizeBytes: number): BodyReader {
  let leftBytes = sizeBytes;
  return (bytes, fromIndex) => {
    const toIndex = Math.min(bytes.length, fromIndex + leftBytes);
    leftBytes -= toIndex - fromIndex;
    return { toIndex, isEnd: leftBytes === 0 };
  };
}

/** Chunks, each behind a line with its size, then one of size 0, then trailers, then an empty line. */
function readChunks(): BodyReader {
  let leftBytes = 0;
  let isTrailer = false;
  let line = '';
  /** Returns whether the body ends with this line. */
  const endLine = (): boolean => {
    const text = line.trim();
    line = '';
    if (isTrailer) return text === '';
    const sizeBytes = Number.parseInt(text, 16);
    if (sizeBytes > 0) leftBytes = sizeBytes + lineEndBytes;
    else isTrailer = true;
    return false;
  };
  return (bytes, fromIndex) => {
    let index = fromIndex;
    while (index < bytes.length) {
      const skipped = Math.min(leftBytes, bytes.length - index);
      leftBytes -= skipped;
      index += skipped;
      if (leftBytes > 0 || index === bytes.length) break;
      const end = bytes.indexOf(newline, index);
      line += bytes.toString('latin1', index, end < 0 ? bytes.length : end);
      index = end < 0 ? bytes.length : end + 1;
      if (end >= 0 && endLine()) return { toIndex: index, isEnd: true };
    }
    return { toIndex: index, isEnd: false };
  };
}
