import { extname } from 'node:path';
import type { Tensor } from '../lib/tensor.js';
import { OptimiseModelError } from '../messages/error.js';
import { readTensorFile } from '../onnx/read-tensor.js';
import { readNpy } from './read-npy.js';

/**
 * Reads a tensor from a file that the user names.
 *
 * @param path - A `.npy` file, or a `.pb` file with an ONNX TensorProto.
 * @returns The tensor.
 * @throws `input-file-wrong` for other endings and for files that are not what their ending says.
 */
export async function readInputFile(path: string): Promise<Tensor> {
  const ending = extname(path).toLowerCase();
  if (ending === '.npy') return readNpy(path);
  if (ending === '.pb') return readTensorFile(path);
  throw OptimiseModelError.of('input-file-wrong', {
    path,
    problem: `its name ends in "${ending}", not .npy or .pb`,
  });
}
