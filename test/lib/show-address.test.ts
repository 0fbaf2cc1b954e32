import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { showAddress } from '../../src/lib/show-address.js';

describe('showAddress', () => {
  it.each([
    ['https://user:s3cr3t@host/a/current.json', 'https://host/a/current.json'],
    ['https://token@host:8443/a', 'https://host:8443/a'],
    ['https://user:p@ss@host/a', 'https://host/a'],
    ['https://host/a.onnx?X-Amz-Signature=s3cr3t&x=1', 'https://host/a.onnx'],
    ['https://host/a#token=s3cr3t', 'https://host/a'],
    ['s3://key:s3cr3t@bucket/a?versionId=1', 's3://bucket/a'],
    ['https://host/@scope/model/current.json', 'https://host/@scope/model/current.json'],
  ])('shows %s as %s', (address, shown) => {
    expect(showAddress(address)).toBe(shown);
  });

  it.each(['https://user:p/w@host/a', 'https://user:p?w@host/a', 'https://user:p#w@host/a'])(
    'shows nothing of the password of %s, which cannot be parsed',
    (address) => {
      expect(showAddress(address)).toBe('https://host/a');
    },
  );

  it.each(['/data/a#b?c@d', 'artifacts/demo', 's3://bucket/p/current.json', 'file:///srv/my%20models'])(
    'leaves %s as it is',
    (address) => {
      expect(showAddress(address)).toBe(address);
    },
  );

  it('shows no password and no query, whatever they are', () => {
    const secret = fc
      .string({ minLength: 6, unit: 'grapheme' })
      .map((text) => encodeURIComponent(`§${text}`));
    fc.assert(
      fc.property(secret, secret, (password, query) => {
        const shown = showAddress(`https://user:${password}@host/a?k=${query}`);
        expect(shown).toBe('https://host/a');
      }),
    );
  });
});
