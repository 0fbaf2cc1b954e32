// Compiles *.assembly.ts to WebAssembly and writes each, in base64, as a TypeScript module that git ignores.
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = import.meta.dirname;
/** What the modules are called there. */
const constants = { 'half-kernel': 'halfKernelModule', 'half-expander': 'halfExpanderModule' };
const names = Object.keys(constants);

for (const name of names) if (!(await isCurrent(name))) await build(name);

/** The kernel has the expander in it, so that either is made anew with both. */
async function isCurrent(name) {
  const builtMs = (await stat(targetOf(name)).catch(() => undefined))?.mtimeMs ?? 0;
  const parts = await Promise.all([...names.map(sourceOf), import.meta.filename].map((path) => stat(path)));
  return parts.every(({ mtimeMs }) => mtimeMs < builtMs);
}

async function build(name) {
  const bytes = await compile(name);
  const text = [
    `/** The WebAssembly module that ${name}.assembly.ts was compiled to, in base64. */`,
    `export const ${constants[name]}: string =\n  '${bytes.toString('base64')}';`,
  ];
  // Renamed into place, since several builds may run at once.
  const beside = `${targetOf(name)}.${process.pid}`;
  await writeFile(beside, `${text.join('\n')}\n`);
  await rename(beside, targetOf(name));
}

async function compile(name) {
  const { default: asc } = await import('assemblyscript/asc');
  const made = await mkdtemp(join(tmpdir(), 'half-kernel-'));
  try {
    const out = join(made, `${name}.wasm`);
    const options = ['-O3', '--runtime', 'stub', '--enable', 'simd', '--importMemory', '--noAssert'];
    const { error, stderr } = await asc.main([sourceOf(name), '--outFile', out, ...options]);
    if (error !== null) throw new Error(stderr.toString(), { cause: error });
    return await readFile(out);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

function sourceOf(name) {
  return join(folder, `${name}.assembly.ts`);
}

function targetOf(name) {
  return join(folder, `${name}.generated.ts`);
}
