import type { Command, CommanderError } from 'commander';
import { OptimiseModelError } from '../messages/error.js';
import type { ExitCode } from '../messages/message.js';
import { printFailure } from './run-command.js';
import type { Terminal } from './terminal.js';

/**
 * Says what was wrong about the command line.
 *
 * @param thrown - From commander.
 * @param program - The program, with what it has parsed so far.
 * @param terminal - What the terminal shows.
 * @returns The exit code.
 */
export function refuseUsage(thrown: CommanderError, program: Command, terminal: Terminal): ExitCode {
  const problem = thrown.message.replace(/^error: /, '');
  const [first = program.name(), second] = program.args;
  const group = program.commands.find((item) => item.name() === first);
  const isPart = group?.commands.some((item) => item.name() === second) === true;
  const command = isPart ? `${first} ${second}` : first;
  // A group of commands is none by itself, and prints no document of its own, unless it takes something itself.
  const isOne = group?.commands.length === 0 || (group?.registeredArguments.length ?? 0) > 0;
  const named = group !== undefined && (isPart || isOne);
  const error = OptimiseModelError.of('usage-wrong', {
    problem: problem === '(outputHelp)' ? 'No command was given.' : problem,
    command: group === undefined ? 'optimise-model' : `optimise-model ${command}`,
  });
  printFailure(named ? command : 'optimise-model', terminal, error);
  return error.exitCode;
}
