import { registerEngine } from '../runtimes/import-runtime.js';

// The package entry `optimise-model/loader/openvino`: what a handler imports, for nothing but its effect, so that its
// bundle holds what speaks to OpenVINO. OpenVINO's library itself is loaded when a model is opened.
registerEngine('openvino', async () =>
  (await import('../runtimes/openvino/openvino-adapter.js')).importOpenvino(),
);
