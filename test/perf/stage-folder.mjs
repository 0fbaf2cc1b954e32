// The artifact that `bench-stage.mjs` sends and fetches: files of the sizes that artifacts have, of bytes that no one can compress.
import { createCipheriv, createHash } from 'node:crypto';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nameVariant } from '../../dist/lib/variant.js';
import { digestFiles } from '../../dist/store/artifact-record.js';

const megabyteBytes = 1e6;
/** Of a folder of 1 GiB, in MB; what is missing goes into one more file. */
const largeMegabytes = [343, 172, 60, 60, 56, 52, 48, 44, 40, 36, 32, 28, 24, 20, 5, 4, 3, 3, 2, 2, 1, 1];
const smallBytes = [64_000, 20_000, 8_000, 4_000, 1_000];
const pieceBytes = 1 << 20;

/**
 * Chooses the sizes of the files: as for 1 GiB, the large ones in proportion.
 * @param {number} totalBytes - Of all files together, at least 1 MiB.
 * @returns {number[]} Bytes, together exactly `totalBytes`.
 */
export function chooseSizes(totalBytes) {
  const scale = totalBytes / 2 ** 30;
  const sizes = [
    ...largeMegabytes.map((megabytes) => Math.round(megabytes * megabyteBytes * scale)),
    ...smallBytes,
  ];
  const rest = totalBytes - sizes.reduce((sum, bytes) => sum + bytes, 0);
  return rest > 0 ? [...sizes, rest] : sizes;
}

/**
 * Makes an artifact's folder of seeded bytes, the same at each call.
 * @param {string} folder - Where; it is made.
 * @param {number} totalBytes - Of all files together.
 * @returns {Promise<{ digest: string, paths: string[], sizes: number[] }>} What is in it; `paths` are absolute, `sizes` in bytes.
 */
export async function makeArtifactFolder(folder, totalBytes) {
  await mkdir(folder, { recursive: true });
  const files = [];
  for (const [index, sizeBytes] of chooseSizes(totalBytes).entries()) {
    const path = `weights-${String(index).padStart(2, '0')}.bin`;
    files.push({ path, sizeBytes, sha256: await writeSeeded(join(folder, path), sizeBytes, index) });
  }
  const record = recordOf(files);
  await writeFile(join(folder, 'artifact.json'), `${JSON.stringify(record, undefined, 2)}\n`);
  const paths = files.map(({ path }) => join(folder, path));
  return { digest: record.digest, paths, sizes: files.map(({ sizeBytes }) => sizeBytes) };
}

/** The key stream of a cipher: as random as any, and made faster than a disk writes. */
async function writeSeeded(path, sizeBytes, seed) {
  const stream = createCipheriv('aes-128-ctr', Buffer.alloc(16, seed + 1), Buffer.alloc(16));
  const hash = createHash('sha256');
  const zeros = Buffer.alloc(pieceBytes);
  const file = await open(path, 'w');
  for (let offset = 0; offset < sizeBytes; offset += pieceBytes) {
    const bytes = stream.update(zeros.subarray(0, Math.min(pieceBytes, sizeBytes - offset)));
    hash.update(bytes);
    await file.writeFile(bytes);
  }
  await file.close();
  return hash.digest('hex');
}

function recordOf(files) {
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  const entry = files[0].path;
  const copies = files.map((file, index) => ({
    path: file.path,
    sizeBytes: file.sizeBytes,
    parts: [['copy', index, 0, file.sizeBytes]],
  }));
  return {
    schemaVersion: 1,
    kind: 'artifact',
    variant: nameVariant({
      precision: 'fp16-weights',
      engine: 'onnxruntime',
      layout: 'external',
      inference: 'f32',
    }),
    entry,
    files,
    digest: digestFiles(files),
    sizeBytes,
    expandedSizeBytes: sizeBytes,
    requires: { engine: 'onnxruntime', minimumVersion: '1.30.0', opset: 17, irVersion: 8 },
    provenance: {
      toolVersion: '0.1.0',
      sourceName: 'source.onnx',
      sourceSizeBytes: sizeBytes,
      sourceSha256: null,
      options: {},
    },
    expansion: { entry, literals: '', files: copies },
  };
}
