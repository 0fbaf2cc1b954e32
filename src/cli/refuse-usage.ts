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
  const command = program.args[0] ?? program.name();
  const named = program.commands.some((item) => item.name() === command);
  const error = OptimiseModelError.of('usage-wrong', {
    problem: problem === '(outputHelp)' ? 'No command was given.' : problem,
    command: named ? `optimise-model ${command}` : 'optimise-model',
  });
  printFailure(named ? command : 'optimise-model', terminal, error);
  return error.exitCode;
}
