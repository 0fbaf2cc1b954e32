import { chmod, chown, mkdir, stat, symlink } from 'node:fs/promises';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { findStateFolder, secureStateFolder } from '../../src/lib/state-folder.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();

vi.mock('node:os', async (original) => {
  const actual = await original<typeof import('node:os')>();
  return { ...actual, homedir: vi.fn(actual.homedir), userInfo: vi.fn(actual.userInfo) };
});

afterEach(() => {
  vi.mocked(homedir).mockReset();
  vi.mocked(userInfo).mockReset();
});

/** What Node says for a user id that no entry belongs to. */
function failAsForUnknownUser(): never {
  throw Object.assign(new Error('A system error occurred: uv_os_homedir returned ENOENT'), {
    code: 'ERR_SYSTEM_ERROR',
  });
}

describe('the state folder', () => {
  it('is the one that is named, else in the place for state, else in the home folder', () => {
    const all = { OPTIMISE_MODEL_STATE: '/s', XDG_STATE_HOME: '/x', HOME: '/h' };
    const paths = [all, { ...all, OPTIMISE_MODEL_STATE: '' }, { HOME: '/h' }].map(
      (env) => findStateFolder(env).path,
    );
    expect(paths).toEqual(['/s', '/x/optimise-model', '/h/.local/state/optimise-model']);
  });

  it('is in the temporary folder for a user without an entry and without a home', () => {
    vi.mocked(homedir).mockImplementation(failAsForUnknownUser);
    vi.mocked(userInfo).mockImplementation(failAsForUnknownUser);
    const path = join(tmpdir(), `optimise-model-${process.getuid?.()}`);
    for (const env of [{}, { HOME: '/' }, { HOME: '/nonexistent' }]) {
      expect(findStateFolder(env)).toEqual({ path, isInSharedPlace: true });
    }
  });
});

describe('a state folder in a shared place', () => {
  const folder = async () => ({ path: join(await tempFolder(), 'state'), isInSharedPlace: true });

  it('is made for its user alone, and taken again', async () => {
    const ours = await folder();
    expect(await secureStateFolder(ours)).toBeUndefined();
    expect((await stat(ours.path)).mode & 0o777).toBe(0o700);
    expect(await secureStateFolder(ours)).toBeUndefined();
  });

  it('is refused when others may write to it, or it is no folder', async () => {
    const open = await folder();
    await mkdir(open.path);
    await chmod(open.path, 0o777);
    expect(await secureStateFolder(open)).toBe('others may write to it');
    const link = await folder();
    await symlink(open.path, link.path);
    expect(await secureStateFolder(link)).toBe('it is no folder');
  });

  it.skipIf(process.getuid?.() !== 0)('is refused when another user made it first', async () => {
    const theirs = await folder();
    await mkdir(theirs.path);
    await chown(theirs.path, 12_345, 12_345);
    expect(await secureStateFolder(theirs)).toBe('it belongs to user 12345');
  });
});
