import { resolve } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addOpenvinoOption } from '../../src/cli/openvino-option.js';

const variable = 'OPENVINO_LIB_PATH';
const before = process.env[variable];
beforeEach(() => {
  delete process.env[variable];
});
afterEach(() => {
  delete process.env[variable];
  if (before !== undefined) process.env[variable] = before;
});

/** What the variable and the flags of a command are while it works. */
async function seen(
  words: readonly string[],
): Promise<{ readonly variable: unknown; readonly flags: object }> {
  const found: { variable: unknown; flags: object }[] = [];
  const command = addOpenvinoOption(
    new Command('doctor').exitOverride().configureOutput({ writeErr: () => {} }),
  );
  command.action((flags: object) => void found.push({ variable: process.env[variable], flags }));
  await command.parseAsync(words, { from: 'user' });
  return found[0] ?? { variable: 'nothing ran', flags: {} };
}

describe('--openvino-lib', () => {
  it('sets the variable for this process and those it starts, as a path that holds in any folder', async () => {
    const { variable: path, flags } = await seen(['--openvino-lib', 'lib/libopenvino_c.so']);
    expect(path).toBe(resolve('lib/libopenvino_c.so'));
    expect(Object.values(flags).filter((value) => value !== undefined)).toEqual([]);
  });

  it('wins over the variable, which holds where it is left out, unless it is empty', async () => {
    process.env[variable] = '/from/variable.so';
    expect((await seen([])).variable).toBe('/from/variable.so');
    expect((await seen(['--openvino-lib', '/flag.so'])).variable).toBe('/flag.so');
    process.env[variable] = '';
    expect((await seen([])).variable).toBe('');
    delete process.env[variable];
    expect((await seen([])).variable).toBeUndefined();
  });

  it('is no empty path, which would mean the current folder', async () => {
    await expect(seen(['--openvino-lib', ''])).rejects.toThrow('It must be a path');
  });
});
