import * as fileSystem from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FetchOptions, fetchArtifact } from '../../src/stage/fetch-artifact.js';
import { catchError } from '../fixtures/catch-error.js';
import { leaveFolder } from '../fixtures/left-behind.js';
import { seededBytes, temporaryFolder, writeOpaqueArtifact } from '../fixtures/opaque-artifact.js';

vi.mock('node:fs', async (importOriginal) => {
  const original = await importOriginal<typeof fileSystem>();
  return { ...original, writeSync: vi.fn(original.writeSync) };
});

const writeSync = vi.mocked(fileSystem.writeSync);
const really = writeSync.getMockImplementation();
const contents = { 'model.onnx': seededBytes(70_000, 5), 'parts/model.data': seededBytes(3_000_000, 6) };
const reading = { concurrency: 3, partSizeBytes: 100_000 };

let folder: string;
let options: FetchOptions;

beforeEach(async () => {
  folder = await temporaryFolder();
  await writeOpaqueArtifact(join(folder, 'artifact'), contents);
  options = { url: join(folder, 'artifact'), to: join(folder, 'out'), ...reading };
});
afterEach(() => {
  if (really) writeSync.mockImplementation(really);
});

describe('a fetch', () => {
  it('onto a disk that fills up says so and leaves nothing', async () => {
    let left = 1_000_000;
    writeSync.mockImplementation(((...given: Parameters<typeof fileSystem.writeSync>) => {
      const written = really?.(...given) ?? 0;
      left -= written;
      const facts = { code: 'ENOSPC', syscall: 'write', errno: -28 };
      if (left < 0) throw Object.assign(new Error('ENOSPC: no space left on device, write'), facts);
      return written;
    }) as typeof fileSystem.writeSync);
    expect(await catchError(() => fetchArtifact(options))).toMatchObject({
      code: 'file-system-refused',
      exitCode: 3,
      facts: { path: options.to, operation: 'write', reason: 'the disk is full' },
    });
    expect(await readdir(folder)).toEqual(['artifact']);
  });

  it('that is stopped after whatever progress leaves nothing, and the next one succeeds', async () => {
    for (let count = 1; count < 36; count += 5) {
      const stop = new AbortController();
      let events = 0;
      const progress = (): void => {
        events += 1;
        if (events === count) stop.abort();
      };
      const stopped = fetchArtifact(options, { signal: stop.signal, progress });
      await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
      expect(await readdir(folder)).toEqual(['artifact']);
    }
    await expect(fetchArtifact(options)).resolves.toMatchObject({ reused: false });
  });

  it.each([
    ['a relative path', (to: string) => relative(process.cwd(), to)],
    ['a final slash', (to: string) => `${to}/`],
    ['detours', (to: string) => `${folder}/artifact/../${relative(folder, to)}/.`],
  ])(
    'into a folder given with %s removes what a killed one left, also when it is there and empty',
    async (_how, write) => {
      await leaveFolder(folder, '.out.', '.part');
      await mkdir(options.to);
      const result = await fetchArtifact({ ...options, to: write(options.to) });
      expect(result).toMatchObject({ folder: options.to, reused: false });
      expect((await readdir(folder)).sort()).toEqual(['artifact', 'out']);
      const bytes = await readFile(join(options.to, 'parts/model.data'));
      expect(bytes.equals(contents['parts/model.data'])).toBe(true);
    },
  );

  it('does not fall over a folder that someone fills meanwhile', async () => {
    const progress = (): void => {
      fileSystem.mkdirSync(join(options.to, 'theirs'), { recursive: true });
    };
    const refused = fetchArtifact(options, { signal: new AbortController().signal, progress });
    await expect(refused).rejects.toMatchObject({ code: 'fetch-target-differs' });
    expect((await readdir(folder)).sort()).toEqual(['artifact', 'out']);
    expect(await readdir(options.to)).toEqual(['theirs']);
  });

  it('is content when another one of the same has been faster', async () => {
    const signal = new AbortController().signal;
    let other: Promise<unknown> | undefined;
    const progress = (): void => {
      other ??= fetchArtifact(options);
    };
    await fetchArtifact(options, { signal, progress });
    await other;
    expect((await readdir(folder)).sort()).toEqual(['artifact', 'out']);
  });
});
