import { describe, expect, it } from 'vitest';
import { listGroupFolders } from '../../src/lib/control-groups.js';

const list = (text: string, controller = 'cpu') =>
  listGroupFolders('/cg', text, controller).map(({ version, path }) => `${version} ${path}`);

describe('listGroupFolders', () => {
  it('goes from the own group of version 2 up to the mount, wherever that is', () => {
    expect(list('0::/a/b\n')).toEqual([
      'v2 /cg/a/b',
      'v2 /cg/a',
      'v2 /cg',
      'v2 /cg/unified/a/b',
      'v2 /cg/unified/a',
      'v2 /cg/unified',
    ]);
  });

  it('finds a controller of version 1 that is mounted with another, under either name', () => {
    const text = '3:memory:/m\n2:cpu,cpuacct:/c\n1:name=cpu:/n\n';
    expect(list(text)).toEqual(['v1 /cg/cpu/c', 'v1 /cg/cpu', 'v1 /cg/cpu,cpuacct/c', 'v1 /cg/cpu,cpuacct']);
    expect(list(text, 'memory')).toEqual(['v1 /cg/memory/m', 'v1 /cg/memory']);
    expect(list(text, 'blkio')).toEqual([]);
  });

  it('stays inside what is mounted, and reads nothing into other text', () => {
    expect(list('0::/../../x\n')).toEqual(['v2 /cg', 'v2 /cg/unified']);
    expect(list('what is this\n\n')).toEqual([]);
  });
});
