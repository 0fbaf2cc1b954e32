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
  'openvino-not-shipped': defineMessage<{ functionName: string }>({
    exit: 3,
    what: (facts) =>
      `The function ${facts.functionName} has no OpenVINO: no libopenvino_c is in its package, below /opt or in LD_LIBRARY_PATH.`,
    remedy: () =>
      'Put the libraries that `optimise-model check ARTIFACT` lists in a layer, below openvino/libs (/opt/openvino/libs in the function), or set OPENVINO_LIB_PATH to where they are.',
  }),
  'runtime-unusable': defineMessage<{
    engine: string;
    path: string;
    version: string | null;
    reason: string;
  }>({
    exit: 3,
    what: (facts) =>
      `${facts.engine}${facts.version === null ? '' : ` ${facts.version}`} was found at ${facts.path} and cannot be used: ${facts.reason}.`,
    remedy: () =>
      'Run `python3 -m pip install --upgrade --force-reinstall openvino`, or name another library with `--openvino-lib` or OPENVINO_LIB_PATH; 2025.1 is the first release that is understood.',
  }),
};
