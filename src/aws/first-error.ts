/** The error that came first: of what fails together, the one that explains the rest. */
export class FirstError {
  #error: unknown;

  /** The error; undefined while nothing has failed. */
  get error(): unknown {
    return this.#error;
  }

  /**
   * Takes note of an error, if it is the first.
   *
   * @param error - What was thrown.
   */
  note(error: unknown): void {
    this.#error ??= error;
  }
}
