// Compiles half-kernel.assembly.ts to WebAssembly and writes it, in base64, as a TypeScript module that git ignores.
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = import.meta.dirname;
const source = join(folder, 'half-kernel.assembly.ts');
const target = join(folder, 'half-kernel.generated.ts');

if (!(await isCurrent())) await build();

async function isCurrent() {
  const builtMs = (await stat(target).catch(() => undefined))?.mtimeMs ?? 0;
  const parts = await Promise.all([source, import.meta.filename].map((path) => stat(path)));
  return parts.every(({ mtimeMs }) => mtimeMs < builtMs);
}

async function build() {
  const bytes = await compile();
  const text = [
    '/** The WebAssembly module that half-kernel.assembly.ts was compiled to, in base64. */',
    `export const halfKernelModule: string =\n  '${bytes.toString('base64')}';`,
  ];
  // Renamed into place, since several builds may run at once.
  const beside = `${target}.${process.pid}`;
  await writeFile(beside, `${text.join('\n')}\n`);
  await rename(beside, target);
}

async function compile() {
  const { default: asc } = await import('assemblyscript/asc');
  const made = await mkdtemp(join(tmpdir(), 'half-kernel-'));
  try {
    const out = join(made, 'half-kernel.wasm');
    const options = ['-O3', '--runtime', 'stub', '--enable', 'simd', '--importMemory', '--noAssert'];
    const { error, stderr } = await asc.main([source, '--outFile', out, ...options]);
    if (error !== null) throw new Error(stderr.toString(), { cause: error });
    return await readFile(out);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}
