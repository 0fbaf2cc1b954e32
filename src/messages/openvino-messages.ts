import { defineMessage } from './message.js';

/** What can go wrong with OpenVINO alone, beside what can with any engine. */
export const openvinoMessages = {
  'openvino-path-wrong': defineMessage<{ path: string; reason: string }>({
    exit: 2,
    what: (facts) =>
      `${facts.path}, which OPENVINO_LIB_PATH or \`--openvino-lib\` names as OpenVINO’s library, ${facts.reason}.`,
    remedy: () =>
      'Name the file, such as `libopenvino_c.so.2641` in `openvino/libs` of the Python package, or leave `--openvino-lib` and OPENVINO_LIB_PATH out: then it is looked for.',
  }),
};
