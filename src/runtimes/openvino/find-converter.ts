import { access } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { OpenvinoInstallation } from './find-openvino.js';

/**
 * Finds the Python in which OpenVINO's converter can be imported, without starting it.
 *
 * @param installation - The OpenVINO.
 * @returns The interpreter; null where the installation has none, or came without the converter.
 */
export async function findConverter({ folder, python }: OpenvinoInstallation): Promise<string | null> {
  // Conda keeps the library apart, and its Python counts only where the package is there.
  if (python === null || basename(folder) !== 'libs') return python;
  return access(join(dirname(folder), 'tools', 'ovc')).then(
    () => python,
    () => null,
  );
}
