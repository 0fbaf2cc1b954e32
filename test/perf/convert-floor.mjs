// The least that a conversion to half the bytes can take: reads the input once, writes and hashes half of it, reading
// while it writes, and ends as the converter does, with a flush to the device and a rename. Arguments: input, output.
import { createHash } from 'node:crypto';
import { open, rename } from 'node:fs/promises';

const blockBytes = 4 << 20;
const [input, output] = process.argv.slice(2);

const source = await open(input, 'r');
const target = await open(`${output}.part`, 'w');
const hash = createHash('sha256');
const buffers = [Buffer.allocUnsafe(blockBytes), Buffer.allocUnsafe(blockBytes)];
let writing = Promise.resolve();
for (let turn = 0; ; turn += 1) {
  const buffer = buffers[turn % 2];
  const { bytesRead } = await source.read(buffer, 0, blockBytes);
  await writing;
  if (bytesRead === 0) break;
  const half = buffer.subarray(0, bytesRead >> 1);
  writing = target.write(half);
  hash.update(half);
}
hash.digest();
await target.sync();
await target.close();
await rename(`${output}.part`, output);
