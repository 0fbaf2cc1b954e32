import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../src/messages/catalogue.js';
import { openingMessages } from '../../src/messages/opening-messages.js';
import { openvinoMessages } from '../../src/messages/openvino-messages.js';

const root = resolve(import.meta.dirname, '../../src');

/** Every module that is loaded, at once or on demand, by a module of ours; what is only a type is not. */
function reach(path: string, found = new Map<string, string>()): ReadonlyMap<string, string> {
  if (found.has(path) || path.endsWith('.generated.ts')) return found;
  const text = readFileSync(join(root, path), 'utf8');
  found.set(path, text);
  const loads =
    /(?:^|\n)(?:import|export)\s(?!type\s)[^;]*?'(\.[^']+)\.js';|import\(\s*'(\.[^']+)\.js'\s*\)/g;
  for (const [, first, second] of text.matchAll(loads)) {
    reach(join(dirname(path), `${first ?? second}.ts`), found);
  }
  return found;
}

describe('the words of errors', () => {
  it('are there for every code that what a handler imports can throw', () => {
    const reached = reach('loader/index.ts');
    expect(reached.has('store/s3-reader.ts')).toBe(true);
    expect(reached.has('messages/catalogue.ts')).toBe(false);
    const thrown = [...reached.values()].flatMap((text) =>
      Array.from(text.matchAll(/OptimiseModelError\.of\(\s*'([a-z0-9-]+)'/g), ([, code]) => code),
    );
    expect(thrown).toContain('ephemeral-storage-full');
    // What speaks to OpenVINO brings its own words with it.
    const known = { ...openingMessages, ...openvinoMessages };
    expect([...new Set(thrown)].filter((code) => !(`${code}` in known))).toEqual([]);
  });

  it('name what a handler writes where there is no command', () => {
    for (const code of ['feed-wrong', 'runtime-run-failed'] as const) {
      const remedyIn = (messages: Pick<typeof catalogue, typeof code>) =>
        messages[code].remedy({ engine: 'e', model: 'm', reason: 'r', problems: [] });
      expect(remedyIn(openingMessages)).toContain('{ type: "float32", dims: [1, 3]');
      expect(remedyIn(openingMessages)).not.toContain('--');
      expect(remedyIn(catalogue)).toContain('--input NAME=SHAPE');
    }
  });

  it.each(['cli/main.ts', 'index.ts', 'bench/sample-child.ts'])('are all there for %s', (program) => {
    expect(reach(program).has('messages/catalogue.ts')).toBe(true);
  });
});
