import type koffi from 'koffi';

/** The package through which C is called. */
export type Koffi = typeof koffi;

/** The most that koffi takes. Called functions run on stacks of its own: OpenVINO recurses as deep as a model is. */
const stackSizeBytes = 16 << 20;

let opening: Promise<Koffi | null> | undefined;

/**
 * Loads what calls C functions. Everyone loads it here: its stacks cannot be changed once a library is open.
 *
 * @returns The package; null where it has no binary for this machine, or was installed without it.
 */
export function openKoffi(): Promise<Koffi | null> {
  opening ??= importKoffi();
  return opening;
}

async function importKoffi(): Promise<Koffi | null> {
  const module = await import('koffi').catch(() => null);
  if (module === null) return null;
  module.default.config({ sync_stack_size: stackSizeBytes, async_stack_size: stackSizeBytes });
  return module.default;
}
