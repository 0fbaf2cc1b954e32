import { Command, CommanderError } from 'commander';
import { toolVersion } from '../lib/tool-version.js';
import { OptimiseModelError } from '../messages/error.js';
import { addBenchCommand } from './bench-command.js';
import { addCheckCommand } from './check-command.js';
import { addConvertCommand } from './convert-command.js';
import { addDoctorCommand } from './doctor-command.js';
import { addFetchCommand } from './fetch-command.js';
import { addInspectCommand } from './inspect-command.js';
import { addPickCommand } from './pick-command.js';
import { addPublishCommand } from './publish-command.js';
import { addReportCommand } from './report-command.js';
import { type CommandOutcome, type CommandSession, printFailure, runCommand } from './run-command.js';
import { addRunCommand } from './run-pipeline-command.js';
import { addStageCommand } from './stage-command.js';
import { type GlobalFlags, readTerminal, type Terminal } from './terminal.js';
import { addValidateCommand } from './validate-command.js';

/** Lets a command file hang its body into the shared frame. */
export type Perform = (
  command: string,
  body: (session: CommandSession) => Promise<CommandOutcome>,
) => Promise<void>;

const exitHelp = `
Exit codes: 0 done · 1 a check said no · 2 usage, pipeline file or model is wrong · 3 environment, a retry may help
            4 could not judge · 70 a bug in this tool · 130 interrupted`;

/**
 * Runs the command line.
 *
 * @param argv - As `process.argv`.
 * @returns The exit code; nothing is thrown.
 */
export async function main(argv: readonly string[]): Promise<number> {
  let exitCode = 0;
  dropEmptySettings(process.env);
  const program = new Command('optimise-model');
  const terminalOf = (flags: GlobalFlags): Terminal =>
    readTerminal(flags, process.env, {
      stdout: process.stdout.isTTY === true,
      stderr: process.stderr.isTTY === true,
      // A terminal of unknown size says 0.
      columns: process.stderr.columns || undefined,
    });
  const perform: Perform = async (command, body) => {
    exitCode = await runCommand(command, terminalOf(program.opts()), body);
  };
  buildProgram(program, perform);
  try {
    await program.parseAsync([...argv]);
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode === 0) return 0;
    const problem = thrown.message.replace(/^error: /, '');
    const command = program.args[0] ?? program.name();
    const flags = { json: argv.includes('--json') };
    const named = program.commands.some((item) => item.name() === command);
    const error = OptimiseModelError.of('usage-wrong', {
      problem: problem === '(outputHelp)' ? 'No command was given.' : problem,
      command: named ? `optimise-model ${command}` : 'optimise-model',
    });
    printFailure(named ? command : 'optimise-model', terminalOf(flags), error);
    return error.exitCode;
  }
  return exitCode;
}

/** Pipelines in CI often set a variable to nothing to say that it is not set. */
function dropEmptySettings(env: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(env)) {
    if (name.startsWith('OPTIMISE_MODEL_') && value === '') delete env[name];
  }
}

function buildProgram(program: Command, perform: Perform): void {
  program
    .description('Makes exported ONNX models ready to start fast on AWS Lambda, and proves it.')
    .version(toolVersion)
    .option('--json', 'print exactly one JSON document to stdout, on success and on failure')
    .option('--no-progress', 'no progress bars')
    .option('--verbose', 'print the causes and stack traces of errors')
    .addHelpText('after', exitHelp)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: () => undefined })
    .exitOverride();
  const add = [
    addRunCommand,
    addInspectCommand,
    addConvertCommand,
    addValidateCommand,
    addCheckCommand,
    addStageCommand,
    addFetchCommand,
    addBenchCommand,
    addPickCommand,
    addPublishCommand,
    addReportCommand,
    addDoctorCommand,
  ];
  for (const addCommand of add) addCommand(program, perform);
}
