import { edit } from './edit-message.js';
import type { TensorProto } from './proto.js';

/** A range of a file that holds the bytes of a tensor, little-endian and row-major. */
export type FileRange = {
  /** The `.onnx` file itself or a data file beside it; absolute or as the model was given. */
  readonly path: string;
  /** From the beginning of the file, bytes. */
  readonly offset: number;
  readonly sizeBytes: number;
};

/** What a tensor is to hold in the model that is written. */
export type TensorContent =
  /** Bytes that go into `raw_data`. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** Bytes of a file that go into `raw_data`: as they are, or FP32 rounded to FP16 (half as many). */
  | { readonly kind: 'range'; readonly range: FileRange; readonly form: 'stored' | 'half' }
  /** A reference to a data file beside the model. */
  | {
      readonly kind: 'external';
      readonly location: string;
      readonly offset: number;
      readonly sizeBytes: number;
    };

/** Under it a tensor says what it is to hold. */
const content = Symbol('content');

type Filled = TensorProto & { readonly [content]?: TensorContent };

/**
 * Gives a tensor other bytes; name, dims and everything else of it stay.
 *
 * @param tensor - A decoded or edited tensor.
 * @param dataType - `TensorProto.DataType` of the bytes.
 * @param filled - What it is to hold instead of what it holds.
 * @returns The edited tensor.
 */
export function withContent(tensor: TensorProto, dataType: number, filled: TensorContent): TensorProto {
  const changes: Partial<Filled> = { dataType, [content]: filled };
  return edit<Filled>(tensor, changes);
}

/**
 * Finds what a tensor is to hold.
 *
 * @param tensor - Any tensor.
 * @returns Its new content; undefined for one that keeps what it holds.
 */
export function contentOf(tensor: TensorProto): TensorContent | undefined {
  return (tensor as Filled)[content];
}
