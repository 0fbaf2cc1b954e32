import type { OpenvinoInstallation } from '../../runtimes/openvino/find-openvino.js';
import type { RuntimeNeed } from '../../store/runtime-need.js';
import type { ConvertOptions } from '../convert-options.js';
import type { Source } from '../open-source.js';
import type { ComparedConstants } from './compare-constants.js';

/** A model that is to be written for OpenVINO. */
export type OpenvinoJob = {
  readonly installation: OpenvinoInstallation;
  readonly source: Source;
  readonly options: ConvertOptions;
  readonly target: {
    /** An empty folder, not yet where users look for it. */
    readonly folder: string;
    /** Name of the file that a session is opened on. */
    readonly entry: string;
  };
};

/** A model that was written for OpenVINO. */
export type WrittenModel = {
  /** Of its files, in the folder. */
  readonly names: readonly string[];
  readonly requires: RuntimeNeed;
  /** What FP16 did to its constants; null where it was not asked for, or could not be found out. */
  readonly compared: ComparedConstants | null;
  /** What of the installation shaped it. */
  readonly madeWith: Readonly<Record<string, string>>;
};
