import type { Command } from 'commander';
import type { CommandOutcome, CommandSession } from './run-command.js';

/** Lets a command file hang its body into the shared frame. */
export type Perform = (
  command: string,
  body: (session: CommandSession) => Promise<CommandOutcome>,
) => Promise<void>;

type AddCommand = (program: Command, perform: Perform) => void;

/** The commands in the order of the help. */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  run: async () => (await import('./run-pipeline-command.js')).addRunCommand,
  inspect: async () => (await import('./inspect-command.js')).addInspectCommand,
  convert: async () => (await import('./convert-command.js')).addConvertCommand,
  validate: async () => (await import('./validate-command.js')).addValidateCommand,
  check: async () => (await import('./check-command.js')).addCheckCommand,
  stage: async () => (await import('./stage-command.js')).addStageCommand,
  fetch: async () => (await import('./fetch-command.js')).addFetchCommand,
  bench: async () => (await import('./bench-command.js')).addBenchCommand,
  pick: async () => (await import('./pick-command.js')).addPickCommand,
  publish: async () => (await import('./publish-command.js')).addPublishCommand,
  releases: async () => (await import('./releases-command.js')).addReleasesCommand,
  report: async () => (await import('./report-command.js')).addReportCommand,
  doctor: async () => (await import('./doctor-command.js')).addDoctorCommand,
};

/** The flags that may stand before a command. */
const globalFlags: readonly string[] = ['--json', '--no-progress', '--verbose'];

/**
 * Loads the one command that is asked for, so that none waits for the others.
 *
 * @param words - The command line after the program's name.
 * @returns What adds it to the program; all commands where none is named, for the help and for what is mistyped, and
 *   none for the version.
 */
export async function loadCommands(words: readonly string[]): Promise<readonly AddCommand[]> {
  const [asked = ''] = words.filter((word) => !globalFlags.includes(word));
  if (asked === '--version' || asked === '-V') return [];
  const load = Object.hasOwn(commands, asked) ? commands[asked] : undefined;
  return load === undefined ? Promise.all(Object.values(commands).map((each) => each())) : [await load()];
}
