import { execFileSync } from 'node:child_process';
import { rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nameVariant } from '../../src/lib/variant.js';
import {
  digestFiles,
  parseArtifactRecord,
  parseArtifactSummary,
  readArtifactFolder,
  verifyArtifactFolder,
} from '../../src/store/artifact-record.js';
import { copyingExpansion } from '../fixtures/expand-artifact.js';
import { recordOf, temporaryFolder, writeOpaqueArtifact } from '../fixtures/opaque-artifact.js';

const contents = { 'model.onnx': Buffer.from('graph'), 'model.onnx.data': Buffer.from('weights') };
const record = recordOf(contents);

function refusalOf(change: object): unknown {
  try {
    parseArtifactRecord(JSON.stringify({ ...record, ...change }), 'here');
    return undefined;
  } catch (error) {
    return error;
  }
}

const never = new AbortController().signal;

describe('the artifact record', () => {
  it('is read back as it was written', () => {
    expect(parseArtifactRecord(JSON.stringify(record), 'here')).toEqual(record);
  });

  it('has a digest that does not depend on the order of files but on path, size and content', () => {
    const [first, second] = record.files;
    if (first === undefined || second === undefined) throw new Error('two files expected');
    expect(digestFiles([second, first])).toBe(record.digest);
    expect(digestFiles([first])).not.toBe(record.digest);
    expect(digestFiles([{ ...first, path: 'other.onnx' }, second])).not.toBe(record.digest);
    expect(digestFiles([{ ...first, sizeBytes: first.sizeBytes + 1 }, second])).not.toBe(record.digest);
  });

  it.each(['../model.onnx', '/etc/passwd', 'a//b', 'a\\b', 'a/./b', 'artifact.json', 'a\0b'])(
    'refuses the file path %j',
    (path) => {
      const files = [{ path, sizeBytes: 1, sha256: 'a'.repeat(64) }];
      expect(refusalOf({ files, entry: path, digest: digestFiles(files), sizeBytes: 1 })).toMatchObject({
        code: 'record-wrong',
        exitCode: 2,
      });
    },
  );

  it.each([
    ['a digest of other files', { digest: 'f'.repeat(64) }, 'digest'],
    ['a size that is not the sum', { sizeBytes: 1 }, 'sizeBytes'],
    ['an entry that is no file of it', { entry: 'other.onnx' }, 'entry'],
    ['a later schema', { schemaVersion: 2 }, 'schemaVersion'],
    ['another kind', { kind: 'release' }, 'kind'],
    ['an unknown precision', { variant: { ...record.variant, precision: 'int2' } }, 'variant.precision'],
    ['an id that is not of its parts', { variant: { ...record.variant, id: 'x' } }, 'variant.id'],
    ['a missing list of files', { files: undefined }, 'files'],
  ])('refuses %s and names the field', (_what, change, field) => {
    expect(refusalOf(change)).toMatchObject({
      code: 'record-wrong',
      facts: { where: 'here', problem: expect.stringContaining(field) },
    });
  });

  it('may say that nobody hashed the source', () => {
    const provenance = { ...record.provenance, sourceSha256: null };
    expect(refusalOf({ provenance })).toBeUndefined();
    expect(refusalOf({ provenance: { ...provenance, sourceSha256: undefined } })).toMatchObject({
      facts: { problem: expect.stringContaining('provenance.sourceSha256') },
    });
  });

  it('of an earlier version, without an architecture, runs anywhere', () => {
    const { architecture: _architecture, ...requires } = record.requires;
    const old = JSON.stringify({ ...record, requires });
    expect(parseArtifactRecord(old, 'here').requires.architecture).toBe('any');
  });

  it.each([null, { kind: 'compiled-blob', engineVersion: null, instructionSets: ['avx2'] }])(
    'of a compiled model that is bound to no version is refused: %o',
    (boundTo) => {
      const change = { engine: 'openvino', layout: 'blob', precision: 'fp32', inference: 'f32' } as const;
      const variant = nameVariant(change);
      const facts = { problem: expect.stringContaining('requires.boundTo.engineVersion') };
      expect(refusalOf({ variant, requires: { ...record.requires, boundTo } })).toMatchObject({ facts });
      const compiled = { kind: 'compiled-blob', engineVersion: '2026.4.1', instructionSets: [] };
      expect(refusalOf({ variant, requires: { ...record.requires, boundTo: compiled } })).toBeUndefined();
    },
  );

  it('takes texts, numbers, booleans and lists of texts as options', () => {
    const withOptions = (options: object) => refusalOf({ provenance: { ...record.provenance, options } });
    expect(withOptions({ io: ['x', 'y'], keepFp32: [], minWeightBytes: 0 })).toBeUndefined();
    expect(withOptions({ io: [1] })).toMatchObject({ code: 'record-wrong' });
    expect(withOptions({ io: {} })).toMatchObject({ code: 'record-wrong' });
  });

  it('of an earlier version, without a plan, says to convert again, and is still known as ours', () => {
    const { expansion: _expansion, ...old } = record;
    expect(refusalOf({ expansion: undefined })).toMatchObject({
      code: 'record-wrong',
      facts: { problem: expect.stringMatching(/expansion.*convert the model again/) },
    });
    expect(parseArtifactSummary(JSON.stringify(old), 'here')).toEqual(old);
  });

  it('refuses a document of a million lists before it is parsed', () => {
    const text = JSON.stringify({ ...record, surplus: Array.from({ length: 1_000_000 }, () => []) });
    expect(() => parseArtifactRecord(text, 'here')).toThrow(/more than 1000000 lists/);
  });

  it('refuses a file that is larger than any object of S3', () => {
    const sizeOf = (sizeBytes: number) => {
      const files = [{ path: 'm.onnx', sizeBytes, sha256: 'a'.repeat(64) }];
      const sizes = { sizeBytes, expandedSizeBytes: sizeBytes };
      const expansion = copyingExpansion(files, 'm.onnx');
      return refusalOf({ files, entry: 'm.onnx', digest: digestFiles(files), ...sizes, expansion });
    };
    const largestBytes = 10_000 * 5 * 1024 ** 3;
    expect(sizeOf(largestBytes)).toBeUndefined();
    expect(sizeOf(largestBytes + 1)).toMatchObject({
      code: 'record-wrong',
      facts: { problem: expect.stringContaining('`sizeBytes` of m.onnx') },
    });
  });

  it('refuses what is not JSON', () => {
    expect(() => parseArtifactRecord('<html>', 'here')).toThrow(
      expect.objectContaining({ code: 'record-wrong' }),
    );
  });
});

describe('an artifact folder', () => {
  it('is opened by its path or by that of its record', async () => {
    const folder = await temporaryFolder();
    const written = await writeOpaqueArtifact(folder, contents);
    expect(await readArtifactFolder(folder)).toEqual({ folder, record: written });
    expect(await verifyArtifactFolder(join(folder, 'artifact.json'), never)).toEqual({
      folder,
      record: written,
    });
  });

  it('is refused with everything that is missing or of another size', async () => {
    const folder = await temporaryFolder();
    await writeOpaqueArtifact(folder, { ...contents, 'third.bin': Buffer.from('1') });
    await truncate(join(folder, 'model.onnx'), 2);
    await truncate(join(folder, 'third.bin'), 0);
    await expect(readArtifactFolder(folder)).rejects.toMatchObject({
      code: 'artifact-wrong',
      facts: {
        problems: ['model.onnx has 2 bytes, its record says 5', 'third.bin has 0 bytes, its record says 1'],
      },
    });
  });

  it('is refused by its content only when it is verified', async () => {
    const folder = await temporaryFolder();
    await writeOpaqueArtifact(folder, contents);
    await writeFile(join(folder, 'model.onnx'), 'grapf');
    await expect(readArtifactFolder(folder)).resolves.toBeDefined();
    await expect(verifyArtifactFolder(folder, never)).rejects.toMatchObject({ code: 'artifact-wrong' });
  });

  it('is refused without waiting when a file of it, or its record, is a named pipe', async () => {
    const folder = await temporaryFolder();
    await writeOpaqueArtifact(folder, contents);
    for (const name of ['model.onnx', 'artifact.json']) {
      await rm(join(folder, name));
      execFileSync('mkfifo', [join(folder, name)]);
      await expect(readArtifactFolder(folder)).rejects.toMatchObject({
        code: 'artifact-wrong',
        facts: { problems: [expect.stringContaining(name)] },
      });
    }
  });

  it('is refused when it has no record', async () => {
    await expect(readArtifactFolder(await temporaryFolder())).rejects.toMatchObject({
      code: 'artifact-wrong',
    });
  });

  it('is told from a place where nothing is, and from a file', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'model.onnx'), 'x');
    for (const [name, seen, message] of [
      ['nowhere', 'nothing', 'nowhere does not exist;'],
      ['nowhere/artifact.json', 'nothing', 'nowhere does not exist;'],
      ['model.onnx', 'a file', 'model.onnx is a file;'],
      ['model.onnx/inside', 'nothing', 'inside does not exist;'],
      ['', 'a folder', 'is not an intact artifact: it has no readable artifact.json.'],
    ] as const) {
      await expect(readArtifactFolder(join(folder, name))).rejects.toMatchObject({
        code: 'artifact-wrong',
        facts: { seen },
        message: expect.stringContaining(message),
      });
    }
  });
});
