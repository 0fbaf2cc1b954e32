import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it, type TestContext } from 'vitest';
import { openOpenvino } from '../../src/native/openvino/open-openvino.js';
import { countLiveHandles, makeOwner, withOwner } from '../../src/native/openvino/owner.js';
import { catchError } from '../fixtures/catch-error.js';
import { useTempFolder } from '../fixtures/temp-folder.js';
import { requireOpenvino } from '../services/require-openvino.js';

const run = promisify(execFile);
const tempFolder = useTempFolder();

/** C that stands before the real library: what it defines is called, all else goes there. */
const wrapped = {
  version: (text: string) => `
    typedef struct { const char *build, *description; } ov_version_t;
    int ov_get_openvino_version(ov_version_t *version) { version->build = "${text}"; version->description = ""; return 0; }
    void ov_version_free(ov_version_t *version) {}`,
  oldNumbers: `
    #include <stddef.h>
    int ov_tensor_get_byte_size(const void *tensor, size_t *size) { *size = 2; return 0; }`,
  noCpu: `
    int ov_core_get_property(const void *core, const char *device, const char *key, char **value) { return -5; }`,
};

function linkTo(library: string): readonly string[] {
  return ['-Wl,--no-as-needed', library, `-Wl,-rpath,${dirname(library)}`];
}

/** Compiles a library; `real` is what it is linked to. */
async function compile(context: TestContext, code: string, real: readonly string[] = []): Promise<string> {
  const folder = await tempFolder();
  const library = join(folder, 'libopenvino_c.so');
  await writeFile(join(folder, 'wrapped.c'), code);
  try {
    await run('gcc', ['-shared', '-fPIC', '-o', library, join(folder, 'wrapped.c'), ...real]);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ENOENT') throw error;
    context.skip('it needs gcc');
  }
  return library;
}

describe('what is found as OpenVINO', () => {
  beforeEach(async (context) => {
    await requireOpenvino(context);
  });

  it('tells its version, the processor and what that can do', async (context) => {
    const { libraryPath } = await requireOpenvino(context);
    const library = await openOpenvino(libraryPath);
    expect(library.version).toMatch(/^20\d\d\.\d+\.\d+$/);
    expect(library.device).not.toBe('');
    expect(library.capabilities).toContain('FP32');
    expect(await openOpenvino(libraryPath)).toBe(library);
  });

  it.for([
    ['2024.6.0-17404-4c0f47d2335-releases/2024/6', '2024.6.0'],
    ['2025.0.0-17942-1f68be9f594-releases/2025/0', '2025.0.0'],
  ])('is refused when it is older than 2025.1: %s', async ([build = '', version], context) => {
    const path = await compile(context, wrapped.version(build));
    await expect(openOpenvino(path)).rejects.toMatchObject({
      code: 'runtime-unusable',
      exitCode: 3,
      facts: { path, version, reason: 'releases before 2025.1.0 number element types differently' },
    });
  });

  it('is refused when it does not tell a version', async (context) => {
    const path = await compile(context, wrapped.version('custom_master'));
    await expect(openOpenvino(path)).rejects.toMatchObject({
      code: 'runtime-unusable',
      facts: { version: null, reason: 'it gives its version as `custom_master`, which is not understood' },
    });
  });

  it('is refused when its numbers of element types are the old ones, whatever version it tells', async (context) => {
    const { libraryPath } = await requireOpenvino(context);
    const path = await compile(context, wrapped.oldNumbers, linkTo(libraryPath));
    await expect(openOpenvino(path)).rejects.toMatchObject({
      code: 'runtime-unusable',
      facts: { reason: 'its element type 4 has 2 bytes where FP32 has 4' },
    });
  });

  it('is refused when it has no CPU device', async (context) => {
    const { libraryPath } = await requireOpenvino(context);
    const path = await compile(context, wrapped.noCpu, linkTo(libraryPath));
    await expect(openOpenvino(path)).rejects.toMatchObject({
      code: 'runtime-unusable',
      facts: { reason: expect.stringContaining('NOT_FOUND') },
    });
  });

  it('is refused when it lacks a function', async (context) => {
    const path = await compile(context, wrapped.version('2099.1.0-1'));
    await expect(openOpenvino(path)).rejects.toMatchObject({
      code: 'runtime-unusable',
      facts: { version: '2099.1.0', reason: expect.stringContaining('ov_get_error_info') },
    });
  });

  it('is refused when it is no library', async () => {
    const path = join(await tempFolder(), 'libopenvino_c.so');
    await writeFile(path, 'text');
    const error = await catchError(() => openOpenvino(path));
    expect(error).toMatchObject({ code: 'runtime-unusable', facts: { version: null } });
    // It is tried anew each time.
    expect(await catchError(() => openOpenvino(path))).not.toBe(error);
  });
});

describe('an owner', () => {
  it('frees in reverse order, once, also when work fails', () => {
    const freed: bigint[] = [];
    const free = (handle: bigint) => freed.push(handle);
    const before = countLiveHandles();
    const owner = makeOwner();
    owner.own(1n, free);
    owner.own(2n, free);
    expect(countLiveHandles()).toBe(before + 2);
    owner.free();
    owner.free();
    const fail = () =>
      withOwner((inner) => {
        inner.own(3n, free);
        throw new Error('no');
      });
    expect(fail).toThrow('no');
    expect([freed, countLiveHandles()]).toEqual([[2n, 1n, 3n], before]);
  });
});
