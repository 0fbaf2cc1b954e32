import type { Command } from 'commander';
import { toolVersion } from '../lib/tool-version.js';
import { commander } from './commander.js';
import { loadCommands, type Perform } from './load-commands.js';
import { outliveReaders } from './outlive-readers.js';
import { type GlobalFlags, readTerminal, type Terminal } from './terminal.js';

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
  outliveReaders([process.stdout, process.stderr]);
  dropEmptySettings(process.env);
  const program = makeProgram();
  const perform: Perform = async (command, body) => {
    const { runCommand } = await import('./run-command.js');
    exitCode = await runCommand(command, terminalOf(program.opts()), body);
  };
  for (const addCommand of await loadCommands(argv.slice(2))) addCommand(program, perform);
  try {
    await program.parseAsync([...argv]);
  } catch (thrown) {
    if (!(thrown instanceof commander.CommanderError)) throw thrown;
    if (thrown.exitCode === 0) return 0;
    const { refuseUsage } = await import('./refuse-usage.js');
    return refuseUsage(thrown, program, terminalOf({ json: argv.includes('--json') }));
  }
  return exitCode;
}

/** Pipelines in CI often set a variable to nothing to say that it is not set. */
function dropEmptySettings(env: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(env)) {
    if (name.startsWith('OPTIMISE_MODEL_') && value === '') delete env[name];
  }
}

function terminalOf(flags: GlobalFlags): Terminal {
  return readTerminal(flags, process.env, {
    stdout: process.stdout.isTTY === true,
    stderr: process.stderr.isTTY === true,
    // A terminal of unknown size says 0.
    columns: process.stderr.columns || undefined,
  });
}

function makeProgram(): Command {
  return new commander.Command('optimise-model')
    .description('Makes exported ONNX models ready to start fast on AWS Lambda, and proves it.')
    .version(toolVersion)
    .option('--json', 'print exactly one JSON document to stdout, on success and on failure')
    .option('--no-progress', 'no progress bars')
    .option('--verbose', 'print the causes and stack traces of errors')
    .addHelpText('after', exitHelp)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: () => undefined })
    .exitOverride();
}
