import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readNpy } from '../../src/inputs/read-npy.js';

async function save(header: string, payload: Uint8Array, version = 1): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'npy-')), 'x.npy');
  const length = Buffer.alloc(version === 1 ? 2 : 4);
  length[version === 1 ? 'writeUInt16LE' : 'writeUInt32LE'](header.length);
  const magic = Buffer.from([0x93, ...Buffer.from('NUMPY'), version, 0]);
  await writeFile(path, Buffer.concat([magic, length, Buffer.from(header), payload]));
  return path;
}

function header(descr: string, shape: string, isFortran = false): string {
  return `{'descr': '${descr}', 'fortran_order': ${isFortran ? 'True' : 'False'}, 'shape': ${shape}, }   \n`;
}

describe('readNpy', () => {
  it.each([
    ['<f4', 'float32', Float32Array.of(1.5, -2)],
    ['<f8', 'float64', Float64Array.of(1.5, -2)],
    ['<f2', 'float16', Uint16Array.of(0x3e00, 0xc000)],
    ['<i8', 'int64', BigInt64Array.of(-1n, 2n ** 60n)],
    ['|i1', 'int8', Int8Array.of(-1, 5)],
    ['|u1', 'uint8', Uint8Array.of(255, 5)],
    ['<u4', 'uint32', Uint32Array.of(4_000_000_000, 5)],
    ['|b1', 'bool', Uint8Array.of(1, 0)],
  ] as const)('reads %s as %s', async (descr, type, data) => {
    const path = await save(header(descr, '(2,)'), new Uint8Array(data.buffer));
    expect(await readNpy(path)).toEqual({ type, dims: [2], data });
  });

  it('reads a scalar, no elements at all, and the later header formats', async () => {
    const scalar = await save(header('<f4', '()'), new Uint8Array(Float32Array.of(7).buffer));
    expect(await readNpy(scalar)).toEqual({ type: 'float32', dims: [], data: Float32Array.of(7) });
    const empty = await save(header('<f4', '(0, 3)'), new Uint8Array(0), 3);
    expect(await readNpy(empty)).toEqual({ type: 'float32', dims: [0, 3], data: new Float32Array(0) });
  });

  it('swaps big-endian elements', async () => {
    const path = await save(header('>i2', '(2,)'), Uint8Array.of(0x01, 0x02, 0xff, 0xfe));
    expect((await readNpy(path)).data).toEqual(Int16Array.of(0x0102, -2));
  });

  it('brings Fortran order into row-major order', async () => {
    const columns = Int32Array.of(11, 21, 12, 22, 13, 23);
    const path = await save(header('<i4', '(2, 3)', true), new Uint8Array(columns.buffer));
    expect(await readNpy(path)).toEqual({
      type: 'int32',
      dims: [2, 3],
      data: Int32Array.of(11, 12, 13, 21, 22, 23),
    });
  });

  it('refuses a file that is missing, cut short, too long, of another kind or of an unknown type', async () => {
    const short = await save(header('<f4', '(3,)'), new Uint8Array(8));
    const long = await save(header('<f4', '(1,)'), new Uint8Array(8));
    const complex = await save(header('<c8', '(1,)'), new Uint8Array(8));
    const other = join(await mkdtemp(join(tmpdir(), 'npy-')), 'other.npy');
    await writeFile(other, 'PK\u0003\u0004');
    for (const path of [short, long, complex, other, `${other}.missing`]) {
      await expect(readNpy(path)).rejects.toMatchObject({ code: 'input-file-wrong', facts: { path } });
    }
  });
});
