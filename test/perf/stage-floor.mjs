// The least that a verified transfer can take on this machine without any network: every file is copied and read once more
// for its SHA-256. Arguments: a folder, and the one that it is copied to.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const [source, target] = process.argv.slice(2);
await mkdir(target, { recursive: true });
for (const name of await readdir(source)) {
  await copyFile(join(source, name), join(target, name));
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(join(source, name), { highWaterMark: 1 << 20 })) {
    hash.update(chunk);
  }
  hash.digest();
}
