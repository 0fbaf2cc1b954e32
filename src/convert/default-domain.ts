import { edit } from '../onnx/edit-message.js';
import { normaliseDomain, type Scope } from '../onnx/graph-walk.js';
import type { FunctionProto, ModelProto, NodeProto } from '../onnx/proto.js';

/** An opset that every supported runtime has; Cast has not changed its meaning for FLOAT and FLOAT16 since 6. */
const firstCommonOpset = 13;
/** Before it, Cast named its type by a string, which onnxruntime 1.30 does not read. */
const firstUsableOpset = 6;

/**
 * Makes Cast known to models and functions that import only other domains.
 *
 * A model and its functions are to agree on what an operator is, so that the version is taken from those that name one.
 *
 * @param model - The model, with the Casts that it needs; imports that are there stay as they are.
 * @returns The model, edited where an import was missing.
 */
export function importDefaultDomain(model: ModelProto): ModelProto {
  const known = [model, ...(model.functions ?? [])].flatMap(({ opsetImport }) => opsetImport ?? []);
  const version = known.find(({ domain }) => normaliseDomain(domain) === '')?.version ?? firstCommonOpset;
  const added = { domain: '', version };
  const functions = (model.functions ?? []).map((fn) =>
    hasDefaultDomain(fn) || !fn.node?.some(isCast)
      ? fn
      : edit(fn, { opsetImport: [...(fn.opsetImport ?? []), added] }),
  );
  const isSame = functions.every((fn, index) => fn === model.functions?.[index]);
  const changes = {
    ...(isSame ? {} : { functions }),
    ...(hasDefaultDomain(model) ? {} : { opsetImport: [...(model.opsetImport ?? []), added] }),
  };
  return Object.keys(changes).length === 0 ? model : edit<ModelProto>(model, changes);
}

function isCast({ domain, opType }: NodeProto): boolean {
  return opType === 'Cast' && normaliseDomain(domain) === '';
}

function hasDefaultDomain({ opsetImport }: Pick<ModelProto, 'opsetImport'> | FunctionProto): boolean {
  return (opsetImport ?? []).some((entry) => normaliseDomain(entry.domain) === '');
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
