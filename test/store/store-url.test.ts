import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { objectUrl, parseStoreUrl, splitObjectUrl } from '../../src/store/store-url.js';

const digest = 'ab'.repeat(32);

describe('the address of a store', () => {
  it.each([
    ['s3://bucket', { kind: 's3', url: 's3://bucket', bucket: 'bucket', prefix: '' }],
    ['s3://bucket/a/b/', { kind: 's3', url: 's3://bucket/a/b', bucket: 'bucket', prefix: 'a/b' }],
    ['https://host/models/', { kind: 'http', url: 'https://host/models' }],
    ['file:///srv/my%20models', { kind: 'directory', url: '/srv/my models' }],
    ['/srv/models/', { kind: 'directory', url: '/srv/models' }],
    ['artifacts', { kind: 'directory', url: resolve('artifacts') }],
  ])('%s is taken apart', (url, expected) => {
    expect(parseStoreUrl(url)).toEqual(expected);
  });

  it.each([
    '',
    's3://',
    's3:///key',
    's3://bucket/../x',
    's3://bucket/a//b',
    'gs://bucket/x',
    'http://[',
    'ftp://h/x',
    'https:/user:geheim@host/x',
    's3:bucket/x',
    's3://bucket/x?versionId=1',
  ])('%j is refused', (url) => {
    expect(() => parseStoreUrl(url)).toThrow(
      expect.objectContaining({ code: 'store-url-wrong', exitCode: 2 }),
    );
  });

  it.each([
    ['s3:/models/pre', 's3:/models/pre'],
    ['s3:bucket/x', 's3:bucket/x'],
    ['HTTPS:/u:geheim@h/x?token=geheim', 'HTTPS:/h/x'],
  ])('%s is refused as it was typed, without its secrets', (typed, url) => {
    expect(() => parseStoreUrl(typed)).toThrow(
      expect.objectContaining({ facts: { url, problem: 'its scheme lacks `//`' } }),
    );
  });

  it.each([
    'https://user:geheim@host/x',
    'https://user:gehe/im:geheim@host/x',
    'https://host/x?X-Amz-Signature=geheim',
    's3://bucket/x?X-Amz-Signature=geheim',
    'gs://u:geheim@h/x',
    'https:/u:geheim@h/x',
  ])('with a secret in it (%s) is refused without repeating the secret', (url) => {
    expect(() => parseStoreUrl(url)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('geheim') }),
    );
  });
});

describe('the address of an object', () => {
  it.each([
    ['s3://bucket/p/q/vit/current.json', 's3://bucket/p/q', 'vit/current.json'],
    ['s3://bucket/vit/current.json', 's3://bucket', 'vit/current.json'],
    [
      's3://bucket/p/vit/releases/20261130T160501Z-1a2b3c4d.json',
      's3://bucket/p',
      'vit/releases/20261130T160501Z-1a2b3c4d.json',
    ],
    [
      `s3://bucket/p/vit/objects/${digest}/artifact.json`,
      's3://bucket/p',
      `vit/objects/${digest}/artifact.json`,
    ],
    [`/srv/models/vit/objects/${digest}/a/b.bin`, '/srv/models', `vit/objects/${digest}/a/b.bin`],
    ['/vit/current.json', '/', 'vit/current.json'],
    ['http://h:1/current.json', 'http://h:1', 'current.json'],
    ['http://h:1/m/vit/current.json', 'http://h:1/m', 'vit/current.json'],
    ['https://h/some/where/artifact.json', 'https://h/some/where', 'artifact.json'],
    ['https://h/some/my%20model.onnx', 'https://h/some', 'my model.onnx'],
    ['/srv/out/fp32.single/artifact.json', '/srv/out/fp32.single', 'artifact.json'],
  ])('%s is split where the model name begins, or at its folder', (url, storeUrl, key) => {
    expect(splitObjectUrl(url)).toEqual({ storeUrl, key });
    expect(objectUrl(storeUrl, key)).toBe(url);
  });

  it.each(['s3://bucket', 'https://host/', 'https://host/%E0%A4%A'])(
    '%s is refused: it names no object',
    (url) => {
      expect(() => splitObjectUrl(url)).toThrow(expect.objectContaining({ code: 'store-url-wrong' }));
    },
  );
});
