import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultProxy, ProxyScript } from '../services/fault-proxy.js';
import { type KilledVerb, type KillPoint, nameRequest, type ObservedRun } from './kill-points.js';
import { watchTree } from './watch-tree.js';

/** A command, and where it runs. */
export type Command = {
  readonly verb: KilledVerb;
  /** Script and arguments. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly bucket: string;
  /** Everything that it writes on this machine is below this folder. */
  readonly folder: string;
};

/** How a command ended; `wasKilled` is false when it had ended before its moment came. */
export type CommandEnd = {
  readonly wasKilled: boolean;
  readonly exitCode: number | null;
  readonly stderr: string;
};

/** The built command. */
export const commandPath = resolve(import.meta.dirname, '../../dist/bin.js');
/** What publishes as the library does. */
export const publishPath = resolve(import.meta.dirname, 'publish-child.mjs');

/**
 * Runs a command to its end and notes every moment of its requests.
 *
 * @param proxy - What it speaks to.
 * @param command - The command.
 * @returns What it did and how it ended, and the time from its first content to its end.
 */
export async function observe(
  proxy: FaultProxy,
  command: Command,
): Promise<CommandEnd & ObservedRun & { readonly contentMs: number }> {
  const moments: { request: string; moment: ObservedRun['moments'][number]['moment'] }[] = [];
  const names = requestNames();
  let firstContentMs = Number.NaN;
  proxy.play(command.bucket, {
    onMoment: async (moment, call) => {
      moments.push({ request: names(call), moment });
      if (carriesContent(call.name) && Number.isNaN(firstContentMs)) firstContentMs = performance.now();
      return 'go';
    },
  });
  const end = await endOf(start(command));
  return {
    ...end,
    wasKilled: false,
    verb: command.verb,
    moments,
    contentMs: performance.now() - firstContentMs,
  };
}

/**
 * Runs a command to its end, with nothing in its way.
 *
 * @param proxy - What it speaks to.
 * @param command - The command.
 * @returns How it ended.
 */
export async function runThrough(proxy: FaultProxy, command: Command): Promise<CommandEnd> {
  proxy.play(command.bucket, {});
  return { ...(await endOf(start(command))), wasKilled: false };
}

/**
 * Runs a command and kills it (SIGKILL) at a moment.
 *
 * @param proxy - What it speaks to.
 * @param command - The command.
 * @param point - When.
 * @param contentMs - How long after its first content it would end by itself.
 * @returns How it ended.
 */
export async function runAndKill(
  proxy: FaultProxy,
  command: Command,
  point: KillPoint,
  contentMs: number,
): Promise<CommandEnd> {
  let child: ChildProcess | undefined;
  let wasKilled = false;
  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || wasKilled) return;
    wasKilled = true;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  proxy.play(command.bucket, { onMoment: killerOf(point, contentMs, kill) });
  const isMeant = (path: string): boolean => point.kind === 'file' && point.path.test(path);
  const unwatch = watchTree(command.folder, (path) => isMeant(path) && void kill());
  child = start(command);
  const end = await endOf(child);
  unwatch();
  return { ...end, wasKilled };
}

function killerOf(
  point: KillPoint,
  contentMs: number,
  kill: () => Promise<void>,
): NonNullable<ProxyScript['onMoment']> {
  const names = requestNames();
  let isTimed = false;
  return async (moment, call) => {
    const request = names(call);
    if (point.kind === 'delay' && carriesContent(call.name) && !isTimed) {
      isTimed = true;
      void sleep(point.share * contentMs).then(kill);
    }
    if (point.kind !== 'request' || request !== point.request || moment !== point.moment) return 'go';
    await kill();
    return 'drop';
  };
}

/** Parts, files and ranges: the rest are questions and small documents. */
function carriesContent(name: string): boolean {
  return /^(part \d+|put|get-range)$/.test(name);
}

function requestNames(): (call: Parameters<typeof nameRequest>[0]) => string {
  const seen = new Map<string, number>();
  const named = new Map<unknown, string>();
  return (call) => {
    const known = named.get(call) ?? nameRequest(call, seen);
    named.set(call, known);
    return known;
  };
}

function start({ args, env }: Command): ChildProcess {
  const { PATH, HOME, TMPDIR } = process.env;
  const clean = Object.fromEntries(Object.entries({ PATH, HOME, TMPDIR, ...env }).filter(([, text]) => text));
  return spawn(process.execPath, [...args], { env: clean, stdio: ['ignore', 'ignore', 'pipe'] });
}

async function endOf(child: ChildProcess): Promise<Pick<CommandEnd, 'exitCode' | 'stderr'>> {
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, stderr };
}
