import { printJson } from '../lib/json.js';
import { toolVersion } from '../lib/tool-version.js';
import type { WorkContext } from '../lib/work-context.js';
import { asOptimiseModelError } from '../messages/as-error.js';
import { OptimiseModelError } from '../messages/error.js';
import type { ExitCode } from '../messages/message.js';
import { printError, printFindings, type ShownFinding } from './print-message.js';
import { makeProgressBars, type ProgressBars } from './progress-bars.js';
import type { Terminal } from './terminal.js';

/** What a command came to; `no` a check said no, `unjudged` it could not judge. */
export type CommandStatus = 'ok' | 'no' | 'unjudged';

/** What a command hands back to be shown. */
export type CommandOutcome = {
  readonly status: CommandStatus;
  /** The command's part of the JSON document. */
  readonly result: unknown;
  readonly findings: readonly ShownFinding[];
  /** Whether a report holds all findings, so that the terminal may leave out notes. */
  readonly isReported?: boolean;
  /** What stdout gets when JSON was not asked for, without a final newline. */
  readonly text: string;
};

/** What the body of a command works with. */
export type CommandSession = {
  readonly terminal: Terminal;
  readonly context: WorkContext;
  /** Prints a line to stderr, between the progress bars; nothing under `--json`. */
  readonly say: (line: string) => void;
};

const exitCodes: Readonly<Record<CommandStatus, ExitCode>> = { ok: 0, no: 1, unjudged: 4 };

/**
 * Runs the body of a command: streams, signals, errors and the exit code are the same for all of them.
 *
 * The first Ctrl-C asks the work to stop and clean up; the second one ends the process at once.
 *
 * @param command - Its name, for the document.
 * @param terminal - What the terminal shows.
 * @param body - Does the work.
 * @returns The exit code.
 */
export async function runCommand(
  command: string,
  terminal: Terminal,
  body: (session: CommandSession) => Promise<CommandOutcome>,
): Promise<ExitCode> {
  const bars = await makeProgressBars(terminal);
  const { signal, stopListening } = listenForSignals(bars);
  const session: CommandSession = {
    terminal,
    context: { signal, progress: bars.show },
    say: (line) => {
      if (terminal.json) return;
      bars.clear();
      process.stderr.write(`${line}\n`);
    },
  };
  try {
    const outcome = await body(session);
    bars.clear();
    printOutcome(command, terminal, outcome);
    return exitCodes[outcome.status];
  } catch (thrown) {
    bars.clear();
    // Whatever fell over while stopping, what happened is that somebody stopped it; but what was left behind is told.
    const error = asOptimiseModelError(signal.aborted && !tellsOfRemains(thrown) ? signal.reason : thrown);
    printFailure(command, terminal, error);
    return signal.aborted ? 130 : error.exitCode;
  } finally {
    stopListening();
  }
}

const remains: readonly string[] = ['s3-parts-left', 'publish-left', 'publish-unknown', 'prune-not-restored'];

function tellsOfRemains(thrown: unknown): boolean {
  return thrown instanceof OptimiseModelError && remains.includes(thrown.code);
}

function listenForSignals(bars: ProgressBars): { signal: AbortSignal; stopListening: () => void } {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    bars.clear();
    if (controller.signal.aborted) process.exit(130);
    controller.abort(OptimiseModelError.of('interrupted', { by: name === 'SIGINT' ? 'Ctrl-C' : name }));
  };
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of names) process.on(name, onSignal);
  return {
    signal: controller.signal,
    stopListening: () => {
      for (const name of names) process.off(name, onSignal);
    },
  };
}

function printOutcome(command: string, terminal: Terminal, outcome: CommandOutcome): void {
  const { status, result, findings } = outcome;
  if (terminal.json) {
    printDocument({ command, status, result, findings });
    return;
  }
  printFindings(terminal, findings, outcome.isReported === true);
  if (outcome.text !== '') process.stdout.write(`${outcome.text}\n`);
}

/**
 * Says what went wrong, on stderr for people or as the one document on stdout.
 *
 * @param command - The command's name.
 * @param terminal - What the terminal shows.
 * @param error - What went wrong.
 */
export function printFailure(command: string, terminal: Terminal, error: OptimiseModelError): void {
  if (!terminal.json) {
    printError(terminal, error);
    return;
  }
  const { code, message: what, remedy, facts, exitCode } = error;
  printDocument({
    command,
    status: exitCode === 130 ? 'interrupted' : 'error',
    findings: [],
    error: { code, what, remedy, facts, causes: listCauses(error) },
  });
}

function printDocument(content: object): void {
  process.stdout.write(`${printJson({ schemaVersion: 1, toolVersion, ...content })}\n`);
}

/**
 * Lists what lies under an error.
 *
 * @param error - The error.
 * @returns The messages of its causes, outermost first.
 */
function listCauses(error: Error): readonly string[] {
  const causes: string[] = [];
  for (let cause = error.cause; cause instanceof Error && causes.length < 8; cause = cause.cause) {
    if (cause.message !== error.message) causes.push(cause.message);
  }
  return causes;
}
