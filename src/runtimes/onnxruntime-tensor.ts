import type { Tensor as OrtTensor, TensorConstructor } from 'onnxruntime-node';
import type { ElementType, Tensor, TensorData } from '../lib/tensor.js';

/** The constructor as it works at run time: its published types leave out `float16` from a `Uint16Array`. */
type UntypedConstructor = new (type: string, data: unknown, dims: readonly number[]) => OrtTensor;

const pinned = new WeakSet<TensorConstructor>();

/**
 * Makes an onnxruntime tensor over the same memory.
 *
 * @param tensorClass - onnxruntime's own `Tensor`.
 * @param tensor - Ours.
 * @returns onnxruntime's, sharing the elements.
 * @throws onnxruntime's own error for a type that it has no tensors of, such as bfloat16.
 */
export function toOrtTensor(tensorClass: TensorConstructor, tensor: Tensor): OrtTensor {
  pinHalfStorage(tensorClass);
  return new (tensorClass as unknown as UntypedConstructor)(tensor.type, tensor.data, tensor.dims);
}

/**
 * Reads an onnxruntime tensor.
 *
 * @param tensor - onnxruntime's, on the CPU.
 * @returns Ours, sharing the elements; half precision as bit patterns whatever array type onnxruntime uses for it.
 */
export function fromOrtTensor(tensor: OrtTensor): Tensor {
  const type = tensor.type as ElementType;
  const data = tensor.data as unknown;
  return { type, dims: [...tensor.dims], data: type === 'float16' ? viewHalves(data) : (data as TensorData) };
}

function viewHalves(data: unknown): Uint16Array {
  if (data instanceof Uint16Array) return data;
  const view = data as Float32Array;
  return new Uint16Array(view.buffer, view.byteOffset, view.length);
}

/**
 * Makes onnxruntime settle on `Uint16Array` for half precision, as it does where `Float16Array` does not exist: from
 * Node 24 on it would choose `Float16Array`, which its native side then refuses as input.
 *
 * It decides once, when the first tensor is made, so the global is hidden for just that moment.
 *
 * @param tensorClass - onnxruntime's own `Tensor`.
 */
export function pinHalfStorage(tensorClass: TensorConstructor): void {
  if (pinned.has(tensorClass)) return;
  pinned.add(tensorClass);
  const hidden = Object.getOwnPropertyDescriptor(globalThis, 'Float16Array');
  if (hidden?.configurable) Reflect.deleteProperty(globalThis, 'Float16Array');
  try {
    new (tensorClass as unknown as UntypedConstructor)('float16', new Uint16Array(1), [1]);
  } finally {
    if (hidden?.configurable) Object.defineProperty(globalThis, 'Float16Array', hidden);
  }
}
