import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

describe('the package', () => {
  it('holds what its users need, and nothing of the tests', async () => {
    const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json'], { cwd: root });
    const answer: unknown = JSON.parse(stdout);
    const [packed] = Object.values(answer as Record<string, { files: { path: string }[] }>);
    const paths = packed?.files.map((file) => file.path) ?? [];
    for (const path of ['bin.js', 'index.js', 'index.d.ts', 'loader/index.js', 'bench/sample-child.js']) {
      expect(paths).toContain(`dist/${path}`);
    }
    expect(paths).toEqual(
      expect.arrayContaining([
        'README.md',
        'LICENSE',
        'CHANGELOG.md',
        'pipelines/schema/pipeline.schema.json',
      ]),
    );
    expect(paths.filter((path) => /^(test|src|artifacts)\//.test(path))).toEqual([]);
  });
});
