/** Follows how far an object has arrived without a gap, while its parts arrive side by side. */
export class ArrivalFront {
  readonly #partSizeBytes: number;
  /** Bytes that have arrived of each part that the front has not passed, from its start. */
  readonly #arrived = new Map<number, number>();
  #front = 0;

  /** @param partSizeBytes - Size of a part; bytes arrive in order within a part. */
  constructor(partSizeBytes: number) {
    this.#partSizeBytes = partSizeBytes;
  }

  /** Bytes from the start of the object that have arrived without a gap. */
  get bytes(): number {
    return this.#front;
  }

  /**
   * Takes note of bytes that arrived.
   *
   * @param offset - Where they are, bytes from the start of the object.
   * @param sizeBytes - How many.
   * @returns Whether the front moved.
   */
  add(offset: number, sizeBytes: number): boolean {
    const part = Math.floor(offset / this.#partSizeBytes);
    this.#arrived.set(part, (this.#arrived.get(part) ?? 0) + sizeBytes);
    if (offset !== this.#front) return false;
    for (;;) {
      const reached = Math.floor(this.#front / this.#partSizeBytes);
      const end = reached * this.#partSizeBytes + (this.#arrived.get(reached) ?? 0);
      if (end === this.#front) return true;
      this.#front = end;
      if (end % this.#partSizeBytes === 0) this.#arrived.delete(reached);
    }
  }
}
