import { convertMessages } from './convert-messages.js';
import { defineMessage } from './message.js';

/** What can be wrong about a model file, and how a conversion speaks. */
export const modelMessages = {
  'model-not-found': defineMessage<{ path: string; seen: string }>({
    exit: 2,
    what: (facts) => `${facts.path} is no model file: ${facts.seen}; expected an .onnx file.`,
    remedy: () => 'Give the path of the exported .onnx file, one that you may read.',
  }),
  'model-not-onnx': defineMessage<{ path: string; sizeBytes: number; looksLike: string; detail: string }>({
    exit: 2,
    what: (facts) =>
      `${facts.path} (${facts.sizeBytes} bytes) is not an ONNX model: it looks like ${facts.looksLike} (${facts.detail}).`,
    remedy: () => 'Give the .onnx file itself; if it was downloaded or unpacked, do that again.',
  }),
  'model-empty': defineMessage<{ path: string }>({
    exit: 2,
    what: (facts) => `${facts.path} is empty (0 bytes); expected an ONNX model.`,
    remedy: () => 'Export or download the model again.',
  }),
  'model-truncated': defineMessage<{ path: string; sizeBytes: number; neededBytes: number; where: string }>({
    exit: 2,
    what: (facts) =>
      `${facts.path} is cut off: it has ${facts.sizeBytes} bytes, but ${facts.where} goes on to byte ${facts.neededBytes} at least.`,
    remedy: () => 'Copy or download the whole file again and compare its size with the original.',
  }),
  'model-too-large': defineMessage<{ path: string; sizeBytes: number; limitBytes: number }>({
    exit: 2,
    what: (facts) =>
      `${facts.path} has ${facts.sizeBytes} bytes; an ONNX file is one protobuf message of at most ${facts.limitBytes} bytes.`,
    remedy: () => 'Export the model with its weights as external data.',
  }),
  'model-changed': defineMessage<{ path: string }>({
    exit: 3,
    what: (facts) => `${facts.path} was changed while it was being read.`,
    remedy: () => 'Wait until nothing writes to it, then try again.',
  }),
  'model-too-deep': defineMessage<{ path: string; limit: number }>({
    exit: 2,
    what: (facts) =>
      `${facts.path} nests more than ${facts.limit} messages in each other; runtimes refuse that too.`,
    remedy: () => 'Export the model with fewer nested If, Loop or Scan bodies.',
  }),
  'model-has-no-graph': defineMessage<{ path: string; sizeBytes: number }>({
    exit: 2,
    what: (facts) =>
      `${facts.path} (${facts.sizeBytes} bytes) reads as an ONNX model but has no graph; it may be cut off or hold functions only.`,
    remedy: () => 'Export the model again, or copy the whole file again.',
  }),
  'external-data-refused': defineMessage<{ path: string; tensor: string; location: string; reason: string }>({
    exit: 2,
    what: (facts) =>
      `${facts.path}: the external data of tensor '${facts.tensor}' at location '${facts.location}' is refused: ${facts.reason}.`,
    remedy: () => 'Put the complete data file that belongs to this model into its folder.',
  }),
  'tensor-wrong': defineMessage<{ path: string; tensor: string; reason: string }>({
    exit: 2,
    what: (facts) => `${facts.path}: tensor '${facts.tensor}' is wrong: ${facts.reason}.`,
    remedy: () => 'Export the model or the tensor again.',
  }),
  'tensor-file-wrong': defineMessage<{ path: string; reason: string }>({
    exit: 2,
    what: (facts) => `${facts.path} is not a tensor file (a TensorProto, .pb): ${facts.reason}.`,
    remedy: () => 'Give a .pb file that holds one ONNX tensor, or a .npy file.',
  }),
  ...convertMessages,
};
