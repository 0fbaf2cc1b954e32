import { execFileSync } from 'node:child_process';
import * as fileSystem from 'node:fs/promises';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { convertModel } from '../../src/convert/convert-model.js';
import { encode, graph, model, node, ramp, value } from '../fixtures/build-model.js';
import { catchError } from '../fixtures/catch-error.js';
import { completeOptions } from '../fixtures/convert-options.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

vi.mock('node:fs/promises', async (importOriginal) => {
  const original = await importOriginal<typeof fileSystem>();
  return { ...original, open: vi.fn(original.open) };
});

const open = vi.mocked(fileSystem.open);
const really = open.getMockImplementation();
const tempFolder = useTempFolder();
let folder = '';
let source = '';
let before: Buffer;

beforeEach(async () => {
  folder = await tempFolder();
  source = join(folder, 'source.onnx');
  const size = 1 << 20;
  const main = graph({
    inputs: [value('x', [size])],
    outputs: [value('y', [size])],
    nodes: [node('Mul', ['x', 'w'], ['y'])],
    initializers: [ramp('w', [size])],
  });
  await writeFile(source, encode(model(main)));
  before = await readFile(source);
});
afterEach(() => {
  if (really) open.mockImplementation(really);
});

/** A disk that takes so many bytes of what is written beside a target. */
function fillUpAfter(sizeBytes: number): void {
  let left = sizeBytes;
  open.mockImplementation(async (path, ...more) => {
    const file = await (really ?? fileSystem.open)(path, ...more);
    if (!String(path).includes('.part')) return file;
    const write = file.write.bind(file) as (...parts: unknown[]) => Promise<{ bytesWritten: number }>;
    const limited = async (...parts: unknown[]) => {
      const written = await write(...parts);
      left -= written.bytesWritten;
      if (left < 0)
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
          code: 'ENOSPC',
          syscall: 'write',
        });
      return written;
    };
    return Object.assign(file, { write: limited });
  });
}

async function expectRefusal(out: string, layout: 'single' | 'external'): Promise<void> {
  const options = completeOptions({ model: source, out, layout, precision: 'fp16-weights' });
  const error = await catchError(() => convertModel(options));
  expect(error).toMatchObject({ code: 'file-system-refused', exitCode: 3 });
  expect(error.message).toContain(out);
  expect(error.message).toContain('the disk is full');
  expect((await readFile(source)).equals(before)).toBe(true);
}

function inShell(command: string): void {
  execFileSync('/bin/sh', ['-c', command], { stdio: 'ignore' });
}

const onnxLayouts = ['single', 'external'] as const;

describe('a disk that is full', () => {
  it.each(onnxLayouts)('ends a conversion with the path, and nothing is left: %s', async (layout) => {
    await mkdir(join(folder, 'out'));
    for (const sizeBytes of [0, 100_000, 2_000_000]) {
      for (const name of ['artifact', 'bare.onnx']) {
        fillUpAfter(sizeBytes);
        await expectRefusal(join(folder, 'out', name), layout);
        expect(await readdir(join(folder, 'out'))).toEqual([]);
      }
    }
  });

  it('is met on a file system of 1 MiB too', async (context) => {
    const small = join(folder, 'small');
    await mkdir(small);
    try {
      inShell(`mount -t tmpfs -o size=1m tmpfs '${small}'`);
    } catch {
      return context.skip('this user may not mount a file system');
    }
    try {
      for (const layout of onnxLayouts) {
        for (const name of ['artifact', 'bare.onnx']) {
          await expectRefusal(join(small, name), layout);
          expect(await readdir(small)).toEqual([]);
        }
      }
    } finally {
      inShell(`umount '${small}'`);
    }
  });
});
