import { describe, expect, it } from 'vitest';
import { readSources, type Source } from './read-sources.js';

const verbs = ['convert', 'validate', 'check', 'stage', 'bench', 'pick', 'publish', 'report', 'cost'];
const standing = ['onnx', 'half', 'inputs', 'runtimes', 'store'];
const ground = ['messages', 'lib'];

/**
 * Which rooms each room may import from, besides itself. `index` is the whole public API, `api` its parts, of which the
 * command line loads the one it needs; `wiring` are the other files right under `src`, which hand one verb's results to
 * the next.
 */
const arrows: Readonly<Record<string, readonly string[]>> = {
  bin: ['cli'],
  cli: ['api', ...ground],
  index: ['api'],
  api: ['wiring', ...verbs, 'pipeline', ...standing, ...ground],
  wiring: [...verbs, 'pipeline', 'loader', 'native', ...standing, 'aws', ...ground],
  pipeline: ground,
  ...Object.fromEntries(verbs.map((verb) => [verb, ['pipeline', ...standing, ...ground]])),
  bench: ['loader', 'native', 'pipeline', ...standing, ...ground],
  loader: ['store', 'runtimes', 'half', ...ground],
  store: ['aws', ...ground],
  runtimes: ['native', ...ground],
  inputs: ['onnx', 'half', ...ground],
  onnx: ground,
  half: ground,
  aws: ground,
  native: ground,
  messages: [],
  lib: [],
};

/** The only room that may import a heavy package. */
const doors: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^onnxruntime-/, ['runtimes']],
  [/^(onnx-proto|protobufjs)/, ['onnx']],
  [/^(@(aws-sdk|smithy)\/|#aws-sdk\/)/, ['aws']],
  [/^koffi$/, ['native']],
  [/^(@observablehq\/plot|linkedom)/, ['report']],
  [/^zod/, ['pipeline', 'report']],
];

const sources = readSources();

function roomOf(path: string): string {
  const [first = '', ...rest] = path.split('/');
  if (rest.length > 0) return first;
  return first === 'bin.ts' || first === 'index.ts' ? first.slice(0, -'.ts'.length) : 'wiring';
}

function offences(check: (source: Source) => readonly string[]): readonly string[] {
  return sources.flatMap((source) => check(source).map((offence) => `${source.path}: ${offence}`));
}

describe('the structure of the sources', () => {
  it('has import arrows that only point downwards', () => {
    const wrong = offences((source) => {
      const room = roomOf(source.path);
      return source.imports
        .filter((path) => path.endsWith('.ts'))
        .filter((path) => roomOf(path) !== room && !arrows[room]?.includes(roomOf(path)))
        .map((path) => `may not import ${path}`);
    });
    expect(wrong).toEqual([]);
  });

  it('lets verbs know of the pipeline only the step contract', () => {
    const wrong = offences((source) =>
      verbs.includes(roomOf(source.path))
        ? source.imports.filter((path) => path.startsWith('pipeline/') && path !== 'pipeline/step.ts')
        : [],
    );
    expect(wrong).toEqual([]);
  });

  it('loads no verb before the command line knows which', () => {
    const early = ['api/choices.ts', 'commander'];
    const wrong = offences((source) =>
      roomOf(source.path) === 'cli'
        ? source.loads
            .filter((path) => path.startsWith('api/') || !path.endsWith('.ts'))
            .filter((path) => !early.includes(path) && !path.startsWith('node:'))
        : [],
    );
    expect(wrong).toEqual([]);
  });

  it('opens each heavy package through one door', () => {
    const wrong = offences((source) =>
      doors.flatMap(([pattern, rooms]) =>
        rooms.includes(roomOf(source.path)) ? [] : source.imports.filter((path) => pattern.test(path)),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('splits files at 300 lines, and keeps the median near 80', () => {
    expect(offences((source) => (source.lineCount > 300 ? [`${source.lineCount} lines`] : []))).toEqual([]);
    const counts = sources.map((source) => source.lineCount).sort((left, right) => left - right);
    expect(counts[Math.floor(counts.length / 2)]).toBeLessThanOrEqual(80);
  });

  it('has a doc comment above every export', () => {
    expect(offences((source) => source.undocumented)).toEqual([]);
  });

  it('describes every parameter and result of exported functions', () => {
    expect(offences((source) => source.undescribed)).toEqual([]);
  });

  it('names files after ideas, not after leftovers', () => {
    const wrong = sources.filter((source) => /(utils?|helpers?|common|manager|handler)\b/.test(source.path));
    expect(wrong.map((source) => source.path)).toEqual([]);
  });
});
