import { resolve } from 'node:path';
import type { Command } from 'commander';
import { commander } from './commander.js';
import { parsePath } from './parse-option.js';

const variable = 'OPENVINO_LIB_PATH';

/**
 * Adds `--openvino-lib`, the same for every command that may load OpenVINO or look for it.
 *
 * @param command - The command; its processes have the variable too.
 * @returns The same command.
 */
export function addOpenvinoOption(command: Command): Command {
  const option = new commander.Option(
    '--openvino-lib <file>',
    'the library libopenvino_c of OpenVINO; looked for when left out',
  );
  command.addOption(option.env(variable).argParser(parseLibrary));
  command.hook('preAction', (_program, acting) => {
    const { openvinoLib } = acting.opts<{ openvinoLib?: string }>();
    if (openvinoLib === undefined) return;
    process.env[variable] = openvinoLib;
    // No option of the work itself.
    acting.setOptionValue('openvinoLib', undefined);
  });
  return command;
}

/** A child may work in another folder. An empty variable says nothing; an empty flag would mean the current folder. */
function parseLibrary(text: string): string | undefined {
  return text === '' && process.env[variable] === '' ? undefined : resolve(parsePath(text));
}
