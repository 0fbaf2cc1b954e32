import { expect, it } from 'vitest';
import { digestFiles, parseArtifactRecord } from '../../src/store/artifact-record.js';
import { printArtifactRecord } from '../../src/store/print-artifact-record.js';
import { recordOf } from '../fixtures/opaque-artifact.js';

it('prints a record that reads as it was, whatever its texts are, one part of the plan a line', () => {
  const odd = '"parts": []';
  const plain = recordOf({ [odd]: Buffer.from('abcdef') });
  const record = {
    ...plain,
    provenance: { ...plain.provenance, sourceName: odd },
    expandedSizeBytes: 9,
    expansion: {
      entry: odd,
      literals: '',
      files: [
        { path: odd, sizeBytes: 8, parts: [['copy', 0, 0, 4] as const, ['expand', 0, 4, 2] as const] },
        { path: 'empty', sizeBytes: 0, parts: [] },
        { path: 'zero', sizeBytes: 1, parts: [['zeros', 1] as const] },
      ],
    },
  };
  expect(digestFiles(record.files)).toBe(record.digest);
  const text = printArtifactRecord(record);
  expect(parseArtifactRecord(text, 'here')).toEqual(record);
  expect(text.split('\n')).toContain('["expand",0,4,2]]');
});
