// Wall time, CPU time and peak memory of whole processes.
import { execFile, spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findPython } from './python-packages.mjs';

const run = promisify(execFile);
const launcher = fileURLToPath(new URL('measure_process.py', import.meta.url));
const reporter = new URL('report-peak-memory.mjs', import.meta.url).href;

/**
 * What one process took; `exitCode` is null when it was ended at the time limit.
 * @typedef {{ wallMs: number, cpuMs: number | null, peakBytes: number | null, exitCode: number | null, stdout: string, stderr: string }} Measurement
 */

/**
 * How to run one process: `warm` are files that are read into the page cache first.
 * @typedef {{ command: readonly string[], warm?: readonly string[], limitMs?: number }} Subject
 */

/**
 * Chooses how processes are measured on this machine.
 *
 * Plain Node cannot see the peak memory of a child. Python can, exactly (`wait4`), and its small launcher is not counted
 * in; without Python, a process of Node reads its own peak when it exits, and others have none.
 *
 * @returns {Promise<{ method: string, measure: (subject: Subject) => Promise<Measurement> }>} The method in words, and it.
 */
export async function chooseMeter() {
  const python = await findPython();
  if (python !== undefined && process.platform !== 'win32') {
    return { method: 'wait4 in a Python launcher', measure: (subject) => measureByWait4(python, subject) };
  }
  const method =
    "Node's clock and the process's own peak at its exit, since there is no Python (CPU time unknown)";
  return { method, measure: measureFromInside };
}

async function measureByWait4(python, { command, warm = [], limitMs = 0 }) {
  const request = JSON.stringify({ command, warm, limitMs });
  const { stdout } = await run(python, [launcher, request], { maxBuffer: 1 << 26 });
  return JSON.parse(stdout);
}

async function measureFromInside({ command, warm = [], limitMs = 0 }) {
  for (const path of warm) await readFile(path);
  const [program, ...args] = command;
  const report = join(tmpdir(), `peak-${process.pid}-${process.hrtime.bigint()}`);
  const isNode = program === process.execPath;
  const env = { ...process.env, OPTIMISE_MODEL_PEAK_FILE: report };
  const started = performance.now();
  const child = spawn(program, isNode ? ['--import', reporter, ...args] : args, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout = (stdout + chunk).slice(-4_000_000);
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr = (stderr + chunk).slice(-20_000);
  });
  const timer = limitMs > 0 ? setTimeout(() => child.kill('SIGKILL'), limitMs) : undefined;
  const exitCode = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  clearTimeout(timer);
  const wallMs = performance.now() - started;
  const peak = await readFile(report, 'utf8').catch(() => undefined);
  await rm(report, { force: true });
  return {
    wallMs,
    cpuMs: null,
    peakBytes: peak === undefined ? null : Number(peak),
    exitCode,
    stdout,
    stderr,
  };
}
