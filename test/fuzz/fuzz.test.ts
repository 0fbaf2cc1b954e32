import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { useTempFolder } from '../fixtures/temp-folder.js';

const fuzz = fileURLToPath(new URL('fuzz.mjs', import.meta.url));
const tempFolder = useTempFolder();

type Run = {
  readonly mutants: number;
  readonly typedShare: number;
  readonly codes: Readonly<Record<string, number>>;
  readonly exits: Readonly<Record<string, number>>;
  readonly findings: readonly unknown[];
};

/** Runs what `npm run fuzz` runs after its build. */
async function runFuzz(...flags: readonly string[]): Promise<Run> {
  const args = [fuzz, '--json', '--out', await tempFolder(), ...flags];
  const output = await new Promise<string>((resolve, reject) => {
    const child = execFile(process.execPath, args, { maxBuffer: 1 << 26 }, (_error, stdout, stderr) =>
      child.exitCode === 0 || stdout !== '' ? resolve(stdout) : reject(new Error(stderr)),
    );
  });
  return JSON.parse(output) as Run;
}

describe('a fuzz run', () => {
  it('takes broken models through the converter and the command without a finding', async () => {
    const { mutants, typedShare, codes, exits, findings } = await runFuzz(
      '--mutants',
      '400',
      '--commands',
      '8',
      '--seed',
      '2',
    );
    expect(findings).toEqual([]);
    expect(mutants).toBe(400);
    expect(typedShare).toBeGreaterThanOrEqual(0.3);
    expect(Object.keys(codes)).toContain('model-truncated');
    expect(Object.values(exits).reduce((sum, count) => sum + count, 0)).toBe(8);
  });

  it('makes the same mutants of a seed again', async () => {
    const first = await runFuzz('--mutants', '60', '--commands', '0', '--seed', '3');
    const second = await runFuzz('--mutants', '60', '--commands', '0', '--seed', '3');
    expect(second.codes).toEqual(first.codes);
    expect(first.findings).toEqual([]);
  });
});
