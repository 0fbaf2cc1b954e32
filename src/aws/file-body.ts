/**
 * A file in the shape that lib-storage cuts into parts: an array of bytes of which nothing is in memory. Of the ways to
 * feed it, this copies nothing and leaves it to us when a part is read: right before it is sent.
 */
export class FileBody extends Uint8Array {
  /** Where it begins in the file, bytes. */
  readonly offset: number;
  readonly #sizeBytes: number;

  /**
   * @param offset - Where it begins in the file, bytes.
   * @param sizeBytes - How many bytes it stands for.
   */
  constructor(offset: number, sizeBytes: number) {
    super(0);
    this.offset = offset;
    this.#sizeBytes = sizeBytes;
    Object.defineProperty(this, 'byteLength', { value: sizeBytes });
  }

  /**
   * Cuts a piece out, as the library does for every part.
   *
   * @param start - First byte, from the start of this body.
   * @param end - Byte behind the last one; the end of this body by default.
   * @returns The piece, not read either.
   */
  override subarray(start = 0, end: number = this.#sizeBytes): FileBody {
    return new FileBody(this.offset + start, end - start);
  }
}
