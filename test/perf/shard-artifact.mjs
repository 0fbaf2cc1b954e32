// Makes of an artifact with one data file the same model in many files, as models of several gigabytes come from hubs.
import { createHash } from 'node:crypto';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import onnxProto from 'onnx-proto';
import { digestFiles, readArtifactFolder } from '../../dist/store/artifact-record.js';
import { printArtifactRecord } from '../../dist/store/print-artifact-record.js';

const { onnx } = onnxProto;
const pageBytes = 4096;

/**
 * Writes the shards and their record.
 * @param {string} source - Folder of an artifact of layout `external`, weights at the top level of its graph.
 * @param {string} target - Folder that it becomes.
 * @param {number} dataFiles - How many data files, about equally large.
 * @returns {Promise<object>} The record.
 */
export async function shardArtifact(source, target, dataFiles) {
  const { record } = await readArtifactFolder(source);
  const model = onnx.ModelProto.decode(await readFile(join(source, record.entry)));
  await mkdir(target, { recursive: true });
  const stored = model.graph.initializer.filter((tensor) => tensor.externalData.length > 0);
  const shards = openShards(record.sizeBytes, dataFiles);
  const data = new Map();
  for (const tensor of stored) {
    const fields = Object.fromEntries(tensor.externalData.map(({ key, value }) => [key, value]));
    const length = Number(fields.length);
    const file = data.get(fields.location) ?? (await open(join(source, fields.location)));
    data.set(fields.location, file);
    const bytes = Buffer.alloc(length);
    await file.read(bytes, 0, length, Number(fields.offset ?? 0));
    const { location, offset } = shards.add(bytes);
    tensor.externalData = Object.entries({ location, offset: String(offset), length: String(length) }).map(
      ([key, value]) => ({ key, value }),
    );
  }
  await Promise.all([...data.values()].map((file) => file.close()));
  const contents = [
    [record.entry, onnx.ModelProto.encode(model).finish()],
    ...shards.finish().map((bytes, index) => [nameShard(index), bytes]),
  ];
  const files = [];
  for (const [path, bytes] of contents) {
    await writeFile(join(target, path), bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    files.push({ path, sizeBytes: bytes.length, sha256 });
  }
  files.sort((left, right) => (left.path < right.path ? -1 : 1));
  const made = describe(record, files);
  await writeFile(join(target, 'artifact.json'), printArtifactRecord(made));
  return made;
}

function describe(record, files) {
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  const copied = files.map(({ path, sizeBytes: length }, index) => ({
    path,
    sizeBytes: length,
    parts: [['copy', index, 0, length]],
  }));
  const expansion = { entry: record.entry, literals: '', files: copied };
  return { ...record, files, digest: digestFiles(files), sizeBytes, expandedSizeBytes: sizeBytes, expansion };
}

const nameShard = (index) => `model-${String(index + 1).padStart(5, '0')}.data`;

/** Fills one file after the other; tensors begin at pages, so that they can be mapped. */
function openShards(totalBytes, count) {
  const shards = [[]];
  let sizeBytes = 0;
  let doneBytes = 0;
  return {
    add: (bytes) => {
      if (sizeBytes > 0 && doneBytes >= (totalBytes * shards.length) / count) {
        shards.push([]);
        sizeBytes = 0;
      }
      const shard = shards.at(-1);
      const padding = (pageBytes - (sizeBytes % pageBytes)) % pageBytes;
      shard.push(Buffer.alloc(padding), bytes);
      const offset = sizeBytes + padding;
      sizeBytes = offset + bytes.length;
      doneBytes += bytes.length;
      return { location: nameShard(shards.length - 1), offset };
    },
    finish: () => shards.map((parts) => Buffer.concat(parts)),
  };
}
