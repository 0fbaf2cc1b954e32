import { normaliseDomain } from '../onnx/graph-walk.js';
import type { ModelProto } from '../onnx/proto.js';

/** An opset that every supported runtime has; Cast has not changed its meaning for FLOAT and FLOAT16 since 6. */
const castOpset = 13;

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
