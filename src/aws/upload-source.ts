/** What is uploaded, opened for one try. */
export type UploadSource = {
  /**
   * Fills a buffer from the source. Parts are asked for in order and each once, so that the source can be hashed on the
   * way; throws when it is shorter than it was.
   */
  readonly readPart: (offset: number, buffer: Uint8Array) => Promise<void>;
  /** Called when all has been read and before the object can become visible; throws when it was not right. */
  readonly refuseIfChanged: () => Promise<void>;
  /** Makes the error of a source that is not what it was when its checksums were computed. */
  readonly explainChange: () => Promise<Error>;
  readonly close: () => Promise<void>;
};
