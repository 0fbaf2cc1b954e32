import type { Message } from './encode-message.js';
import { finishRope } from './finish-rope.js';
import { addPatched } from './patch-message.js';
import type { Rope } from './piece.js';
import type { ModelProto } from './proto.js';
import type { OnnxModel } from './read-model.js';
import { beginDraft } from './rope-draft.js';
import { windowOverSource } from './source-bytes.js';

/**
 * Plans the file of an edited model: what was not edited is copied from the source byte by byte, with all that the
 * decoded model does not show.
 *
 * Messages are told apart by identity: those of the source, those edited from them (`edit`, `withContent`) at their
 * place in the same list or field, and new ones.
 *
 * @param source - The model that was read.
 * @param next - The model as it is to be: the one that was read, or edited from it.
 * @returns What is written; one piece when nothing changed.
 */
export function planModelBytes(source: OnnxModel, next: ModelProto): Rope {
  const { bytes, model, sizeBytes } = source;
  const draft = beginDraft(bytes);
  const window = windowOverSource(bytes);
  const messages = { decoded: model as unknown as Message, next: next as unknown as Message };
  addPatched({ draft, window }, { kind: 'ModelProto', start: 0, end: sizeBytes, ...messages });
  return finishRope(draft);
}
