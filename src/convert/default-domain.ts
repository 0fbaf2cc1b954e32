import { normaliseDomain, type Scope } from '../onnx/graph-walk.js';
import type { ModelProto } from '../onnx/proto.js';

/** An opset that every supported runtime has; Cast has not changed its meaning for FLOAT and FLOAT16 since 6. */
const castOpset = 13;
/** Before it, Cast named its type by a string, which onnxruntime 1.30 does not read. */
const firstUsableOpset = 6;

/**
 * Makes Cast known to models and functions that import only other domains.
 *
 * @param model - Changed in place; imports that are there stay as they are.
 */
export function importDefaultDomain(model: ModelProto): void {
  for (const user of [model, ...(model.functions ?? [])]) {
    const imports = user.opsetImport ?? [];
    if (imports.some((entry) => normaliseDomain(entry.domain) === '')) continue;
    user.opsetImport = [...imports, { domain: '', version: castOpset }];
  }
}

/**
 * Tells whether Casts can be put into a scope.
 *
 * @param scope - A scope of the model.
 * @returns False when its opset of the default domain is older than the Cast that runtimes read; a scope that does not
 *   import the domain can be given a new one.
 */
export function takesCasts(scope: Scope): boolean {
  const opset = scope.opsets.get('');
  return opset === undefined || opset >= firstUsableOpset;
}
