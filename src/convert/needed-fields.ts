import { OptimiseModelError } from '../messages/error.js';
import type { OnnxModel } from '../onnx/read-model.js';
import type { UnknownField } from '../onnx/scan-fields.js';

/**
 * Fields newer than onnx-proto's schema that a model does not work without: which overload of a function is called or
 * defined, what a function's attributes are by default, and an opaque type. The others are metadata.
 *
 * @see https://github.com/onnx/onnx/blob/v1.21.0/onnx/onnx-ml.proto
 */
const neededFields: ReadonlySet<string> = new Set([
  'NodeProto 8',
  'FunctionProto 11',
  'FunctionProto 13',
  'TypeProto 7',
]);

/**
 * Refuses a model that would come out broken because it needs what cannot be written.
 *
 * @param model - The model, about to be written anew.
 * @throws `model-needs-unknown-fields` naming all such fields.
 */
export function refuseNeededFields(model: OnnxModel): void {
  const needed = model.unknownFields.filter(({ path, field }) =>
    neededFields.has(`${path.split('/').at(-1)} ${field}`),
  );
  if (needed.length === 0) return;
  throw OptimiseModelError.of('model-needs-unknown-fields', {
    path: model.path,
    fields: needed.map(nameField),
  });
}

/**
 * Names a field that is not known by name.
 *
 * @param unknown - Where it is, and its number.
 * @returns Such as `ModelProto/FunctionProto field 11`.
 */
export function nameField({ path, field }: UnknownField): string {
  return `${path} field ${field}`;
}
