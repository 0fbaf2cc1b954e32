import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { converseWithChild, type Launcher } from '../../src/lib/converse-with-child.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();
const never = new AbortController().signal;

async function converse(script: string, more: { request?: object; timeoutMs?: number } = {}) {
  const program = join(await tempFolder(), 'child.mjs');
  await writeFile(program, script);
  const { request = null, timeoutMs = 60_000 } = more;
  return converseWithChild({ program, args: ['one'], request, timeoutMs, signal: never });
}

describe('converseWithChild', () => {
  it('sends a request with typed arrays and bigints, and brings the answer back', async () => {
    const echo = `process.once('message', (message) => process.send(message, () => process.disconnect()));`;
    const request = { halves: Uint16Array.of(1, 2), big: 2n ** 60n };
    expect(await converse(echo, { request })).toEqual({
      answer: request,
      isLate: false,
      signal: null,
      exitCode: 0,
      lastWords: '',
    });
  });

  it('gives the command line, and no environment of the test runner', async () => {
    const script = `process.send([process.argv[2], process.env.VITEST ?? null], () => process.disconnect());`;
    expect((await converse(script)).answer).toEqual(['one', null]);
  });

  it('tells how a process ended without an answer, with its last words', async () => {
    const script = `console.error('out of', '\\n', 'luck'); process.exitCode = 3; process.disconnect();`;
    const end = await converse(script, { request: { any: 1 } });
    expect(end).toEqual({
      answer: undefined,
      isLate: false,
      signal: null,
      exitCode: 3,
      lastWords: 'out of luck',
    });
    const killed = await converse(`process.kill(process.pid, 'SIGSEGV'); setInterval(() => {}, 1000);`);
    expect(killed).toMatchObject({ answer: undefined, isLate: false, signal: 'SIGSEGV', exitCode: null });
  });

  it('lets a launcher become the program, under one process id', async () => {
    const program = join(await tempFolder(), 'child.mjs');
    await writeFile(
      program,
      `process.send([process.pid, process.env.PARENT, process.argv[2]], () => process.disconnect());`,
    );
    const entered: string[] = [];
    const launcher: Launcher = {
      execPath: '/bin/sh',
      execArgv: ['-c', 'PARENT=$$ exec "$@"', 'sh', process.execPath],
      enter: (start) => {
        entered.push('in');
        return start();
      },
    };
    const conversation = {
      program,
      args: ['one'],
      request: null,
      timeoutMs: 60_000,
      signal: never,
      launcher,
    };
    const { answer } = await converseWithChild<[number, string, string]>(conversation);
    expect(answer).toEqual([expect.any(Number), String(answer?.[0]), 'one']);
    expect(entered).toEqual(['in']);
  });

  it('ends a process that does not answer in time', async () => {
    const end = await converse('setInterval(() => {}, 1000);', { timeoutMs: 300 });
    expect(end).toMatchObject({ answer: undefined, isLate: true, signal: 'SIGKILL' });
  });

  it('kills the process and throws the reason when it is cancelled', async () => {
    const folder = await tempFolder();
    const [program, pidPath] = [join(folder, 'child.mjs'), join(folder, 'pid')];
    await writeFile(
      program,
      `import { renameSync, writeFileSync } from 'node:fs';
       writeFileSync(process.argv[2] + '.part', String(process.pid));
       renameSync(process.argv[2] + '.part', process.argv[2]);
       setInterval(() => {}, 1000);`,
    );
    const controller = new AbortController();
    const { signal } = controller;
    const run = converseWithChild({ program, args: [pidPath], request: null, timeoutMs: 60_000, signal });
    while (!(await stat(pidPath).catch(() => undefined))) await pause(10);
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(run).rejects.toBe(reason);
    const pid = Number(await readFile(pidPath, 'utf8'));
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});
