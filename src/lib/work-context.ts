/** One report of progress: `done` of `total` in `unit`; `total` is absent when it cannot be known. */
export type ProgressEvent = {
  readonly label: string;
  readonly done: number;
  readonly total?: number;
  readonly unit: 'bytes' | 'items';
};

/** What long work is handed: a signal that asks it to stop and clean up, and where to say how far it is. */
export type WorkContext = {
  readonly signal: AbortSignal;
  readonly progress: (event: ProgressEvent) => void;
};

/**
 * The context of a caller that neither cancels nor watches.
 *
 * @returns A context whose signal never fires and whose progress goes nowhere.
 */
export function quietContext(): WorkContext {
  return { signal: new AbortController().signal, progress: () => undefined };
}
