// Run by `npm run study:kill -- [KILLS]` after a build: kills stage and publish, and fetch, each at 100 moments, and prints
// what a reader saw after each kind of moment. The tests do the same at a few moments.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const vitest = join(createRequire(import.meta.url).resolve('vitest/package.json'), '../vitest.mjs');
const args = ['run', '--config', 'test/vitest.config.ts', '--root', root, 'test/faults/kill-study.test.ts'];
const env = { ...process.env, OPTIMISE_MODEL_KILLS: process.argv[2] ?? '100' };
const child = spawn(process.execPath, [vitest, ...args], { cwd: root, env, stdio: 'inherit' });
child.once('exit', (code) => {
  process.exitCode = code ?? 1;
});
