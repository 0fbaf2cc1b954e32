// Plain JavaScript, so that `npm run services:install` needs no TypeScript loader and nothing is written twice.
import { execFile } from 'node:child_process';
import { access, constants, mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cacheFolder = fileURLToPath(new URL('../../.cache/services/bin', import.meta.url));

/**
 * A program that Go builds: how to find it, to install it, and why it is not there.
 *
 * @param {{ name: string, module: string, overrideVariable: string }} program - `module` with its pinned version.
 */
export function describeGoProgram({ name, module, overrideVariable }) {
  const find = async () => {
    const override = process.env[overrideVariable];
    if (override) return (await isProgram(override)) ? override : undefined;
    for (const folder of [...(process.env.PATH ?? '').split(delimiter), cacheFolder]) {
      const path = join(folder, name);
      if (folder !== '' && (await isProgram(path))) return path;
    }
    return undefined;
  };
  const whyNot = async () => {
    if ((await find()) !== undefined) return undefined;
    const override = process.env[overrideVariable];
    if (override) return `${overrideVariable} is ${override}, which is no program`;
    return `${name} is neither on PATH nor in .cache/services/bin; \`npm run services:install\` builds it with Go`;
  };
  const install = async () => {
    const found = await find();
    if (found !== undefined) return found;
    await mkdir(cacheFolder, { recursive: true });
    const env = { ...process.env, GOBIN: cacheFolder, CGO_ENABLED: '0' };
    try {
      await run('go', ['install', module], { env, maxBuffer: 1 << 26 });
    } catch (cause) {
      throw new Error(`Could not build ${module}: Go and access to its module proxy are needed`, { cause });
    }
    return join(cacheFolder, name);
  };
  return { name, find, install, whyNot };
}

/** @param {string} path */
async function isProgram(path) {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
