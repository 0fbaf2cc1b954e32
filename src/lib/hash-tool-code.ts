import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Hashes the code of this tool as it is installed here, so that results of other code are not taken for its own: the
 * version in package.json stays the same while somebody works on it.
 *
 * @returns SHA-256 over the names and contents of all modules, 64 lower-case hexadecimal digits.
 */
export function hashToolCode(): string {
  known ??= hashModules();
  return known;
}

let known: string | undefined;

function hashModules(): string {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.[jt]s$/.test(path),
  );
  const hash = createHash('sha256');
  for (const path of paths.filter((item) => !item.endsWith('.d.ts')).sort()) {
    hash.update(`${path}\n`).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex');
}
