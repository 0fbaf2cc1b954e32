import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashBytes } from '../../src/lib/sha256.js';
import { inflateLiterals, partBytes } from '../../src/store/artifact-expansion.js';
import { type ArtifactRecord, digestFiles, parseArtifactRecord } from '../../src/store/artifact-record.js';
import { refuseTooLarge } from '../../src/store/document-limit.js';
import { RecordReader } from '../../src/store/record-fields.js';
import { expandArtifact } from '../fixtures/expand-artifact.js';
import { recordOf, temporaryFolder } from '../fixtures/opaque-artifact.js';

const stored = Buffer.from([1, 2, 3, 4, 0x00, 0x3c, 0x00, 0xc0, 9]);
const literalBytes = Buffer.from('new bytes of the graph');
const literals = deflateRawSync(literalBytes).toString('base64');
const parts = [
  ['literal', 0, 3],
  ['copy', 0, 1, 3],
  ['zeros', 5],
  ['expand', 0, 4, 4],
  ['literal', 3, literalBytes.length - 3],
] as const;
const sizeBytes = 3 + 3 + 5 + 8 + literalBytes.length - 3;
const file = { path: 'model.onnx', sizeBytes, parts };
const expansion = { entry: 'model.onnx', literals, files: [file] };
const record: ArtifactRecord = {
  ...recordOf({ 'half.onnx': stored }),
  expandedSizeBytes: sizeBytes,
  expansion,
};

function refusalOf(change: object): unknown {
  try {
    parseArtifactRecord(JSON.stringify({ ...record, expansion: { ...expansion, ...change } }), 'here');
    return undefined;
  } catch (error) {
    return error;
  }
}

const withParts = (...items: readonly unknown[]) => ({ files: [{ ...file, parts: items }] });

describe('the plan of an expansion', () => {
  it('is read back as it was written', () => {
    expect(parseArtifactRecord(JSON.stringify(record), 'here')).toEqual(record);
  });

  it('says how to rebuild the files from those of the artifact', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'half.onnx'), stored);
    const files = await expandArtifact(folder, parseArtifactRecord(JSON.stringify(record), folder));
    const floats = Buffer.from(new Float32Array([1, -2]).buffer);
    expect([...files.keys()]).toEqual(['model.onnx']);
    expect(files.get('model.onnx')).toEqual(
      Buffer.concat([
        literalBytes.subarray(0, 3),
        stored.subarray(1, 4),
        Buffer.alloc(5),
        floats,
        literalBytes.subarray(3),
      ]),
    );
  });

  it.each([
    ['a part of a file that there is not', withParts(['copy', 1, 0, 1]), 'of file 1, of 1'],
    ['a part beyond the end of its file', withParts(['copy', 0, 9, 1]), 'ends beyond its file of 9 bytes'],
    ['half a number', withParts(['expand', 0, 0, 3]), 'expands half a number'],
    ['a negative offset', withParts(['copy', 0, -1, 1]), 'a number of part 0'],
    ['a fraction', withParts(['zeros', 1.5]), 'a number of part 0'],
    ['an unknown kind', withParts(['add', 0, 0, 1]), 'the kind of part 0'],
    ['a number too few', withParts(['copy', 0, 0]), 'has 2 numbers, expected 3'],
    ['a number too many', withParts(['zeros', 1, 2]), 'has 2 numbers, expected 1'],
    ['a part that is no list', withParts({ kind: 'zeros' }), 'part 0 of model.onnx'],
    ['parts that do not add up', withParts(['zeros', 1]), 'have 1 bytes'],
    ['a path that leaves the folder', { files: [{ ...file, path: '../model.onnx' }] }, 'is not possible'],
    ['a file named as the record', { files: [{ ...file, path: 'artifact.json' }] }, 'is the record itself'],
    ['one path twice', { files: [file, file] }, 'has a path twice'],
    ['an entry that is no file of it', { entry: 'other.onnx' }, 'expansion.entry'],
    ['literals that are no Base64', { literals: '<br>' }, 'is no Base64'],
    ['literals that nobody writes so', { literals: 'AB==' }, 'is no Base64'],
    ['missing literals', { literals: '' }, 'does not fit the parts'],
    [
      'sizes that are not those of the record',
      { files: [{ ...file, sizeBytes: 1, parts: [['zeros', 1]] }], literals: '' },
      'expandedSizeBytes',
    ],
    [
      'literals of gigabytes',
      { files: [{ ...file, sizeBytes: 2 ** 32, parts: [['literal', 0, 2 ** 32]] }] },
      'expected ≤',
    ],
  ])('refuses %s', (_what, change, problem) => {
    expect(refusalOf(change)).toMatchObject({
      code: 'record-wrong',
      facts: { where: 'here', problem: expect.stringContaining(problem) },
    });
  });

  it('unpacks a stream of too many bytes no further than its parts need', () => {
    const bomb = { ...expansion, literals: deflateRawSync(Buffer.alloc(1_000_000)).toString('base64') };
    expect(() => inflateLiterals(bomb, new RecordReader('here'))).toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ code: 'ERR_BUFFER_TOO_LARGE' }) }),
    );
  });

  it.each([
    ['more bytes than its parts need', Buffer.alloc(1000)],
    ['fewer bytes than its parts need', Buffer.alloc(1)],
  ])('refuses a stream of %s when it is unpacked', (_what, bytes) => {
    const wrong = { ...expansion, literals: deflateRawSync(bytes).toString('base64') };
    expect(() => inflateLiterals(wrong, new RecordReader('here'))).toThrow(
      expect.objectContaining({ code: 'record-wrong' }),
    );
  });

  it('takes any file apart into parts that rebuild it', () => {
    const pieces = fc.array(fc.tuple(fc.constantFrom('copy', 'zeros'), fc.nat(9), fc.nat(9)), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(pieces, (list) => {
        const chosen = list.map(([kind, offset, length]) =>
          kind === 'zeros'
            ? (['zeros', length] as const)
            : (['copy', 0, offset, Math.min(length, stored.length - offset)] as const),
        );
        const total = chosen.reduce((sum, part) => sum + partBytes(part), 0);
        const plan = { entry: 'm', literals: '', files: [{ path: 'm', sizeBytes: total, parts: chosen }] };
        const text = JSON.stringify({ ...record, expandedSizeBytes: total, expansion: plan });
        expect(parseArtifactRecord(text, 'here').expansion).toEqual(plan);
      }),
    );
  });
});

describe('a plan of 100,000 edited nodes', () => {
  it('fits into a document, which is read', () => {
    const edits = Array.from({ length: 100_000 }, (_, index) => [
      ['copy', 0, index * 100, 100],
      ['literal', index * 40, 40],
    ]).flat();
    const source = { path: 'model.onnx', sizeBytes: 10_000_000, sha256: hashBytes('source') };
    const total = 14_000_000;
    const text = JSON.stringify({
      ...record,
      files: [source],
      entry: 'model.onnx',
      digest: digestFiles([source]),
      sizeBytes: source.sizeBytes,
      expandedSizeBytes: total,
      expansion: {
        entry: 'model.onnx',
        literals: deflateRawSync(Buffer.alloc(4_000_000)).toString('base64'),
        files: [{ path: 'model.onnx', sizeBytes: total, parts: edits }],
      },
    });
    expect(parseArtifactRecord(text, 'here').expansion.files[0]?.parts).toHaveLength(200_000);
  });
});

describe('the size of documents', () => {
  const mebibyteBytes = 1024 ** 2;

  it.each(['artifact.json', '/a/artifact.json', 's3://b/p/artifact.json', 'https://h/artifact.json?X-Amz=1'])(
    'of a record, %s, is 64 MiB at most',
    (url) => {
      expect(() => refuseTooLarge(url, 64 * mebibyteBytes)).not.toThrow();
      const facts = expect.objectContaining({ limitBytes: 64 * mebibyteBytes });
      expect(() => refuseTooLarge(url, 64 * mebibyteBytes + 1)).toThrow(
        expect.objectContaining({ code: 'document-too-large', facts }),
      );
    },
  );

  it.each(['current.json', '/a/my-artifact.json', 'https://h/x?file=artifact.json.gz'])(
    'of another, %s, is 16 MiB at most',
    (url) => {
      expect(() => refuseTooLarge(url, 16 * mebibyteBytes + 1)).toThrow(
        expect.objectContaining({ code: 'document-too-large' }),
      );
    },
  );
});
