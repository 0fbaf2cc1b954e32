import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../src');

function readAll(folder: string): readonly string[] {
  return readdirSync(join(root, folder)).map((name) => readFileSync(join(root, folder, name), 'utf8'));
}

/** Everything between backticks in the words of the catalogue, whether they are templates (`\``) or plain text. */
const spans = readAll('messages').flatMap((text) =>
  [...text.replaceAll('\\`', '`').matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? ''),
);
/** Flags of other programs are named in their own commands. */
const ours = spans.filter((span) => !/^aws |^python3 |--ephemeral-storage/.test(span));
const cli = readAll('cli').join('\n');

describe('remedies', () => {
  it('name only flags that this program has', () => {
    const named = ours.flatMap((span) => [...span.matchAll(/--[a-z][a-z0-9-]+/g)].map(([flag]) => flag));
    expect(named).toContain('--part-size');
    expect([...new Set(named)].filter((flag) => !new RegExp(`'${flag}[ ']`).test(cli))).toEqual([]);
  });

  it('name only commands that this program has', () => {
    const named = ours.flatMap((span) =>
      [...span.matchAll(/optimise-model ([a-z]+)/g)].map(([, word]) => word),
    );
    expect(named).toContain('stage');
    expect([...new Set(named)].filter((word) => !cli.includes(`.command('${word}')`))).toEqual([]);
  });

  it('give the commands that need more than one word whole', () => {
    const staging = ours.filter((span) => span.startsWith('optimise-model stage '));
    expect(staging).not.toEqual([]);
    for (const span of staging) expect(span).toMatch(/^optimise-model stage ARTIFACT --to \S+ --name \S+$/);
  });
});
