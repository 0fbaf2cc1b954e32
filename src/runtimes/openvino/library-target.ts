import { open } from 'node:fs/promises';

/** Numbers of processors in the header of an ELF file. @see https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html */
const elfMachines: Readonly<Record<number, string>> = { 3: 'ia32', 40: 'arm', 62: 'x64', 183: 'arm64' };
/** The same of a 64-bit Mach-O file. @see https://github.com/apple-oss-distributions/cctools (mach-o/loader.h) */
const machMachines: Readonly<Record<number, string>> = { 16777223: 'x64', 16777228: 'arm64' };

const headerBytes = 20;
const [elfMagic, machMagic] = [0x7f454c46, 0xcffaedfe];

/**
 * Reads which machine a library is built for.
 *
 * @param path - The library.
 * @returns Platform and processor in Node's words, such as `linux/x64`; null for what is no library of Linux or macOS.
 */
export async function readLibraryTarget(path: string): Promise<string | null> {
  const header = await readHeader(path).catch(() => null);
  if (header === null) return null;
  const magic = header.readUInt32BE(0);
  if (magic === elfMagic) return nameTarget('linux', elfMachines[header.readUInt16LE(18)]);
  return magic === machMagic ? nameTarget('darwin', machMachines[header.readUInt32LE(4)]) : null;
}

async function readHeader(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
    return buffer;
  } finally {
    await file.close();
  }
}

function nameTarget(platform: string, arch: string | undefined): string {
  return `${platform}/${arch ?? 'another processor'}`;
}
